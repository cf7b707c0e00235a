import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { crowdFactor, openThrottle, type SignInVisit } from "./throttle.ts";
import { authLimits } from "./limits.ts";

function rig() {
  const clock = manualClock();
  const throttle = openThrottle({ clock, random: () => 0 });
  const fail = (visit: SignInVisit) => {
    const attempt = throttle.enter(visit);
    attempt.failed();
    return attempt.wait;
  };
  return { clock, throttle, fail };
}

const from = (block: string, account = "admin"): SignInVisit => ({ account, block });

test("one block that guesses waits, and every other block is judged at once", () => {
  const { fail } = rig();
  expect([1, 2, 3, 4].map(() => fail(from("a")))).toEqual([0, 0, 0, 1]);
  expect([1, 2, 3, 4].map(() => fail(from("b")))).toEqual([0, 0, 0, 1]);
  expect(fail(from("a", "other"))).toBe(0);
});

test("a success of somebody else gives whoever guesses no fresh start", () => {
  const { throttle, fail } = rig();
  for (let i = 0; i < 3; i += 1) fail(from("a"));
  throttle.enter(from("b")).succeeded();
  throttle.enter({ ...from("a"), device: "device/1" }).succeeded();
  expect(fail(from("a"))).toBe(1);
});

test("many blocks at one account wait longer, by the square of what is unusual, and up to a bound", () => {
  const { usualFailures, largestCrowdFactor } = authLimits;
  expect([0, usualFailures, 2 * usualFailures, 5 * usualFailures, 1_000_000].map(crowdFactor)).toEqual([
    1,
    1,
    4,
    25,
    largestCrowdFactor,
  ]);
  const { fail } = rig();
  for (let block = 0; block < 200; block += 1) fail(from(`block ${block}`));
  expect(
    [1, 2, 3, 4].map(() => fail(from("a"))),
    "204 failures are two times as many as usual",
  ).toEqual([0, 0, 0, 5]);
  expect([1, 2, 3, 4].map(() => fail(from("a", "other")))).toEqual([0, 0, 0, 1]);
});

test("in a crowd of ten thousand blocks the first attempts of another are judged, and its own lanes are not slower", () => {
  const { fail } = rig();
  for (let block = 0; block < 10_000; block += 1) for (let i = 0; i < 3; i += 1) fail(from(`block ${block}`));
  expect([1, 2, 3, 4].map(() => fail(from("a")))).toEqual([0, 0, 0, authLimits.largestCrowdFactor]);
  for (const own of [{ device: "device/1" }, { place: "block/usr/b" }]) {
    expect([1, 2, 3].map(() => fail({ ...from("b"), ...own }))).toEqual([0, 0, 0]);
  }
  expect(fail({ ...from("b"), place: "block/usr/b" })).toBe(1);
});

test("a stolen cookie has one slow lane, and leaves its owner no worse off than a stranger", () => {
  const { fail } = rig();
  const stolen = { ...from("thief"), device: "device/1" };
  expect(Array.from({ length: 7 }, () => fail(stolen))).toEqual([0, 0, 0, 0, 0, 0, 1]);
  expect([1, 2].map(() => fail({ ...from("b"), device: "device/1" }))).toEqual([0, 0]);
  expect(fail({ ...from("b"), device: "device/1", place: "address/usr/b" })).toBe(0);
});

test("failures of before the start count on, each in its lane, and those without an address in the crowd alone", () => {
  const { throttle, fail } = rig();
  throttle.prime(from("a"), 3, 0);
  throttle.prime({ ...from("b"), place: "block/usr/b" }, 4, 0);
  throttle.prime({ account: "admin", block: undefined }, 2 * authLimits.usualFailures - 3, 0);
  expect(fail(from("a"))).toBe(1);
  expect(fail({ ...from("b"), place: "block/usr/b" })).toBe(2);
  expect([1, 2, 3, 4].map(() => fail(from("c")))).toEqual([0, 0, 0, 5]);
});

test("invented names take bounded memory, and wash away neither a user's failures nor those of a name that nobody has", () => {
  const { fail } = rig();
  for (const name of ["admin", "nobody"]) for (let i = 0; i < 3; i += 1) fail(from("a", name));
  for (let at = 0; at < 30_000; at += 1) fail(from("a", `name${at}`));
  expect(["admin", "nobody"].map((name) => fail(from("a", name)))).toEqual([1, 1]);
  expect(fail(from("a", "another"))).toBe(0);
});
