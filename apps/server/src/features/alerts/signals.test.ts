import { metricNames } from "@gatehouse/contract";
import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { openSignals } from "./signals.ts";

const minute = 60_000;
const values = (value: number) => metricNames.map(() => value);
const atsOf = (drawn: { readonly minutes: readonly { readonly at: number }[] }) => drawn.minutes.map(({ at }) => at);

function open() {
  const clock = manualClock();
  const now = Math.ceil(clock.now() / minute) * minute;
  clock.advance(now - clock.now());
  return { clock, now, signals: openSignals(clock) };
}

test("minutes are drawn once, in their order, each with what was said of it last", () => {
  const { now, signals } = open();
  signals.take("a", [
    { at: now, values: values(2) },
    { at: now - minute, values: values(1) },
  ]);
  signals.take("a", [{ at: now, values: values(3) }]);
  const { minutes } = signals.draw("a");
  expect(minutes.map((one) => [one.at, one.values[0]])).toEqual([
    [now - minute, 1],
    [now, 3],
  ]);
  expect(signals.draw("a").minutes).toEqual([]);
  expect(signals.newest("a")?.[0]).toBe(3);
});

test("a minute that comes more than ten minutes late, or before one that was drawn, is left to the curves", () => {
  const { now, signals } = open();
  signals.take("a", [
    { at: now - 11 * minute, values: values(1) },
    { at: now - 10 * minute, values: values(1) },
    { at: now - 2 * minute, values: values(1) },
  ]);
  expect(atsOf(signals.draw("a"))).toEqual([now - 10 * minute, now - 2 * minute]);
  signals.take("a", [
    { at: now - 3 * minute, values: values(1) },
    { at: now - minute, values: values(1) },
  ]);
  expect(atsOf(signals.draw("a"))).toEqual([now - minute]);
});

test("a host that sends whatever it likes fills no memory", () => {
  const { clock, now, signals } = open();
  const many = Array.from({ length: 5_000 }, (_, n) => ({ at: now - (n % 600) * 1_000, values: values(n) }));
  signals.take("a", many);
  for (let n = 0; n < 5_000; n += 1) {
    clock.advance(1);
    signals.arrived("a");
  }
  const { minutes, comebacks } = signals.draw("a");
  expect([minutes.length, comebacks.length]).toEqual([11, 60]);
});

test("the first time a node connects is no return; how long ago the others were is told", () => {
  const { clock, signals } = open();
  signals.arrived("a");
  clock.advance(minute);
  signals.arrived("a");
  clock.advance(minute);
  expect(signals.draw("a").comebacks).toEqual([minute]);
});

test("nodes that are no longer there are forgotten", () => {
  const { now, signals } = open();
  signals.take("a", [{ at: now, values: values(1) }]);
  signals.take("b", [{ at: now, values: values(1) }]);
  signals.keepOnly(new Set(["b"]));
  expect([signals.draw("a").minutes.length, signals.draw("b").minutes.length]).toEqual([0, 1]);
});
