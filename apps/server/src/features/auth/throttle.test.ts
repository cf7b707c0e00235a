import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { authLimits } from "./limits.ts";
import { delayAfter, openThrottle } from "./throttle.ts";

const admin = { name: "admin", isKnown: true };
const stranger = (name: string) => ({ name, isKnown: false });

test("three failures are free, then the delay doubles up to a minute", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50, 1_000_000].map(delayAfter)).toEqual(
    [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map((seconds) => seconds * 1_000),
  );
});

test("who keeps guessing waits longer and longer, and waiting does not count", () => {
  const clock = manualClock();
  const throttle = openThrottle(clock);
  expect([throttle.enter(admin), throttle.enter(admin), throttle.enter(admin)]).toEqual([0, 0, 0]);
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(throttle.enter(admin)).toBe(seconds);
    clock.advance(seconds * 1_000 - 1);
    expect(throttle.enter(admin)).toBe(1);
    clock.advance(1);
    expect(throttle.enter(admin)).toBe(0);
  }
});

test("a thousand attempts at once get as far as three in a row", () => {
  const throttle = openThrottle(manualClock());
  const waits = Array.from({ length: 1_000 }, () => throttle.enter(admin));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
});

test("a success ends the row; another account is not touched", () => {
  const throttle = openThrottle(manualClock());
  for (let i = 0; i < 3; i += 1) {
    throttle.enter(admin);
    throttle.enter(stranger("nobody"));
  }
  throttle.succeeded(admin);
  expect(throttle.enter(admin)).toBe(0);
  expect(throttle.enter(stranger("nobody"))).toBe(1);
});

test("an attempt that was not judged is taken back", () => {
  const throttle = openThrottle(manualClock());
  throttle.withdrawn(admin);
  for (let i = 0; i < 20; i += 1) {
    expect(throttle.enter(admin)).toBe(0);
    throttle.withdrawn(admin);
  }
  for (let i = 0; i < 3; i += 1) throttle.enter(admin);
  throttle.withdrawn(admin);
  expect(throttle.enter(admin)).toBe(0);
  expect(throttle.enter(admin)).toBe(1);
});

test("failures are forgotten after an hour without another", () => {
  const clock = manualClock();
  const throttle = openThrottle(clock);
  for (const account of [admin, stranger("nobody")]) {
    throttle.prime(account, 10, 0);
    expect(throttle.enter(account)).toBe(60);
  }
  clock.advance(authLimits.rememberFailuresMs);
  for (const account of [admin, stranger("nobody")]) expect(throttle.enter(account)).toBe(0);
});

test("failures of before the start count on", () => {
  const throttle = openThrottle(manualClock());
  throttle.prime(admin, 2, 30_000);
  throttle.prime(admin, 4, 500);
  expect(throttle.enter(admin)).toBe(8);
  throttle.prime(stranger("nobody"), 3, -5_000);
  expect(throttle.enter(stranger("nobody"))).toBe(1);
  throttle.prime(stranger("forgotten"), 10, authLimits.rememberFailuresMs);
  expect(throttle.enter(stranger("forgotten"))).toBe(0);
});

test("invented names take bounded memory and wash no user's failures away", () => {
  const throttle = openThrottle(manualClock());
  throttle.prime(admin, 10, 0);
  throttle.prime(stranger("first"), 10, 0);
  for (let i = 0; i < 3 * authLimits.strangerNames; i += 1) throttle.enter(stranger(`name${i}`));
  expect(throttle.enter(admin)).toBe(60);
  expect(throttle.enter(stranger("first"))).toBe(0);
  expect(throttle.enter(stranger(`name${3 * authLimits.strangerNames - 1}`))).toBe(0);
});
