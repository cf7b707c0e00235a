import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { Breaker, breakerRules, type Pass } from "./breaker.ts";

const minute = 60_000;

function enter(breaker: Breaker): Pass {
  const entered = breaker.enter();
  if ("retryMs" in entered) throw new Error(`it is open for ${entered.retryMs} ms`);
  return entered;
}

function failTimes(breaker: Breaker, times: number): void {
  for (let time = 0; time < times; time += 1) enter(breaker).finish(false);
}

test("failures that are not in a row never open it", () => {
  const breaker = new Breaker(manualClock());
  for (let round = 0; round < 10; round += 1) {
    failTimes(breaker, breakerRules.failures - 1);
    enter(breaker).finish(true);
  }
  expect(breaker.state).toBe("closed");
});

test("five failures in a row open it for thirty seconds", () => {
  const clock = manualClock();
  const breaker = new Breaker(clock);
  failTimes(breaker, breakerRules.failures);
  expect(breaker.state).toBe("open");
  expect(breaker.enter()).toEqual({ retryMs: 30_000 });
  clock.advance(29_999);
  expect(breaker.enter()).toEqual({ retryMs: 1 });
});

test("then one trial call is let through, and the others wait for it", () => {
  const clock = manualClock();
  const breaker = new Breaker(clock);
  failTimes(breaker, breakerRules.failures);
  clock.advance(30_000);
  expect(breaker.state).toBe("half-open");
  const trial = enter(breaker);
  expect(breaker.enter()).toEqual({ retryMs: 1_000 });
  trial.finish(true);
  expect(breaker.state).toBe("closed");
  failTimes(breaker, 1);
  expect({ state: breaker.state, failures: breaker.failures }).toEqual({ state: "closed", failures: 1 });
});

test("a trial that fails opens it again at once", () => {
  const clock = manualClock();
  const breaker = new Breaker(clock);
  failTimes(breaker, breakerRules.failures);
  clock.advance(minute);
  enter(breaker).finish(false);
  expect(breaker.state).toBe("open");
  expect(breaker.enter()).toEqual({ retryMs: 30_000 });
});

test("calls that began before it opened neither close it nor keep it open", () => {
  const clock = manualClock();
  const breaker = new Breaker(clock);
  const late = [enter(breaker), enter(breaker), enter(breaker)];
  failTimes(breaker, breakerRules.failures);
  clock.advance(10_000);
  for (const [index, pass] of late.entries()) pass.finish(index === 0);
  expect(breaker.state).toBe("open");
  expect(breaker.enter()).toEqual({ retryMs: 20_000 });
});
