import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { exactTallies, fadingSums, sketchTallies } from "./tallies.ts";

const forgetMs = 1_000;

test("both ways to keep them find what was kept, until it is forgotten", () => {
  const clock = manualClock();
  for (const tallies of [
    exactTallies({ clock, forgetMs, most: 10 }),
    sketchTallies({ clock, forgetMs, cells: 4_096 }),
  ]) {
    const openAt = clock.monotonic() + 50;
    expect(tallies.find("a")).toBeUndefined();
    tallies.keep("a", { count: 2, openAt });
    expect(tallies.find("a")).toEqual({ count: 2, openAt });
    expect(tallies.find("b")).toBeUndefined();
    clock.advance(1_050);
    expect(tallies.find("a")).toBeUndefined();
    tallies.keep("a", { count: 1, openAt: openAt + 1_200 });
    expect(tallies.find("a")).toEqual({ count: 1, openAt: openAt + 1_200 });
  }
});

test("of exact ones the longest untouched goes first, and one can be forgotten", () => {
  const tallies = exactTallies({ clock: manualClock(), forgetMs, most: 2 });
  for (const lane of ["a", "b", "a", "c"]) tallies.keep(lane, { count: 1, openAt: 0 });
  expect([tallies.find("a"), tallies.find("b"), tallies.find("c")].map((found) => found?.count)).toEqual([
    1,
    undefined,
    1,
  ]);
  tallies.forget("a");
  expect(tallies.find("a")).toBeUndefined();
});

test("a sketch that is filled far beyond its cells says more than there was, never less", () => {
  const clock = manualClock();
  const tallies = sketchTallies({ clock, forgetMs, cells: 1_024 });
  tallies.keep("admin", { count: 7, openAt: 40 });
  for (let at = 0; at < 20_000; at += 1) {
    const count = (tallies.find(`name ${at}`)?.count ?? 0) + 1;
    tallies.keep(`name ${at}`, { count, openAt: at % 30 });
  }
  const found = tallies.find("admin");
  expect(found?.count).toBeGreaterThanOrEqual(7);
  expect(found?.openAt).toBeGreaterThanOrEqual(40);
});

test("a sketch counts no further than a byte", () => {
  const tallies = sketchTallies({ clock: manualClock(), forgetMs, cells: 1_024 });
  tallies.keep("a", { count: 100_000, openAt: 0 });
  expect(tallies.find("a")?.count).toBe(255);
});

test("sums fade, and what was long ago has faded already", () => {
  const clock = manualClock();
  const sums = fadingSums({ clock, fadeMs: 1_000, cells: 4_096 });
  sums.add("a", 100);
  expect(sums.of("a")).toBe(100);
  expect(sums.of("b")).toBe(0);
  clock.advance(1_000);
  expect(sums.of("a")).toBeCloseTo(36.8, 1);
  sums.add("a", 10);
  expect(sums.of("a")).toBeCloseTo(46.8, 1);
  sums.add("c", 100, 2_000);
  expect(sums.of("c")).toBeCloseTo(13.5, 1);
  sums.add("d", 100, -5);
  expect(sums.of("d")).toBe(100);
});
