import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { delayAfter, openDelays } from "./delays.ts";
import { authLimits } from "./limits.ts";
import { exactTallies } from "./tallies.ts";

function rig(random = () => 0) {
  const clock = manualClock();
  const tallies = exactTallies({ clock, forgetMs: authLimits.rememberFailuresMs, most: 100 });
  const delays = openDelays({ clock, random, tallies });
  /** Tries, fails where it is judged, and gives the wait. */
  const fail = (...lanes: readonly string[]) => {
    const attempt = delays.enter(lanes);
    attempt.failed();
    return attempt.wait;
  };
  return { clock, delays, fail };
}

test("three failures are free, then the delay doubles up to a minute", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50, 1_000_000].map(delayAfter)).toEqual(
    [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map((seconds) => seconds * 1_000),
  );
});

test("who keeps guessing waits longer and longer, and waiting does not count", () => {
  const { clock, fail } = rig();
  expect([fail("a"), fail("a"), fail("a")]).toEqual([0, 0, 0]);
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(fail("a")).toBe(seconds);
    clock.advance(seconds * 1_000 - 1);
    expect(fail("a")).toBe(1);
    clock.advance(1);
    expect(fail("a")).toBe(0);
  }
});

test("a thousand attempts at once get as far as three in a row, and afterwards as one", () => {
  const { clock, delays } = rig();
  const atOnce = () => {
    const attempts = Array.from({ length: 1_000 }, () => delays.enter(["a"]));
    for (const attempt of attempts) attempt.failed();
    return attempts.filter(({ wait }) => wait === 0).length;
  };
  expect(atOnce()).toBe(3);
  clock.advance(1_000);
  expect(atOnce()).toBe(1);
});

test("a success ends the row, in every lane of the visitor and in no other", () => {
  const { delays, fail } = rig();
  for (let i = 0; i < 3; i += 1) for (const lane of ["device", "stranger"]) fail(lane);
  for (let i = 0; i < 2; i += 1) fail("place");
  delays.enter(["device", "place"]).succeeded();
  expect([fail("device"), fail("place"), fail("stranger")]).toEqual([0, 0, 1]);
});

test("somebody with two lanes goes by the first that is open, and waits for the one that opens first", () => {
  const { clock, fail } = rig();
  for (let i = 0; i < 4; i += 1) {
    clock.advance(1_000);
    fail("device");
  }
  for (let i = 0; i < 3; i += 1) expect(fail("device", "place")).toBe(0);
  expect(fail("device", "place")).toBe(1);
  expect(fail("device")).toBe(2);
});

test("an attempt that was not judged is taken back", () => {
  const { delays, fail } = rig();
  for (let i = 0; i < 20; i += 1) {
    const attempt = delays.enter(["a"]);
    expect(attempt.wait).toBe(0);
    attempt.withdrawn();
  }
  expect([fail("a"), fail("a"), fail("a"), fail("a")]).toEqual([0, 0, 0, 1]);
});

test("nobody knows the moment at which a delay ends, and what is told is no sooner", () => {
  const draws = [0.8, 0, 0.8, 0];
  const { clock, delays, fail } = rig(() => draws.shift() ?? 0);
  delays.prime("a", 9, authLimits.longestDelayMs);
  expect(fail("a")).toBe(0);
  expect(fail("a")).toBe(72);
  expect(fail("a")).toBe(87);
  clock.advance(71_999);
  expect(fail("a")).toBe(1);
  clock.advance(1);
  expect(fail("a")).toBe(0);
});

test("failures are forgotten after a day without another", () => {
  const { clock, delays, fail } = rig();
  delays.prime("a", 10, 0);
  clock.advance(authLimits.longestDelayMs + authLimits.rememberFailuresMs - 1);
  expect([fail("a"), fail("a")]).toEqual([0, 60]);
  clock.advance(authLimits.longestDelayMs + authLimits.rememberFailuresMs);
  expect([fail("a"), fail("a")]).toEqual([0, 0]);
});

test("failures of before the start count on", () => {
  const { delays, fail } = rig();
  delays.prime("a", 2, 30_000);
  delays.prime("a", 4, 500);
  expect(fail("a")).toBe(8);
  delays.prime("b", 3, -5_000);
  expect(fail("b")).toBe(1);
  delays.prime("c", 10, authLimits.rememberFailuresMs);
  expect(fail("c")).toBe(0);
});
