import { controlFrames, readControlFrame } from "@gatehouse/channel";
import { metricLimits, metricNames, metrics } from "@gatehouse/contract";
import { expect, test } from "vitest";
import type { HeldMinute } from "../measure/minute-book.ts";
import { noMinutes, sendMinutes, takeBeatAck } from "./minute-steps.ts";

const minute = (number: number): HeldMinute => ({ number, at: number * 60_000, values: [number, null] });

/** What a book with these would say. */
const around = (...held: readonly HeldMinute[]): Parameters<typeof sendMinutes>[0] => ({
  now: () => 7,
  minutes: (after) => held.filter(({ number }) => number > after),
});

test("minutes go out once, with the host's time, and the next time those behind them", () => {
  const [sent, effects] = sendMinutes(around(minute(4), minute(5)), noMinutes, 1);
  const first = {
    t: "~minutes",
    at: 7,
    minutes: [
      { at: 240_000, values: [4, null] },
      { at: 300_000, values: [5, null] },
    ],
  };
  expect(effects).toEqual([{ t: "send", data: JSON.stringify(first) }]);
  expect(sendMinutes(around(minute(4), minute(5)), sent, 2)).toEqual([sent, []]);
  const [, more] = sendMinutes(around(minute(4), minute(5), minute(6)), sent, 2);
  expect(more).toEqual([
    { t: "send", data: JSON.stringify({ ...first, minutes: [{ at: 360_000, values: [6, null] }] }) },
  ]);
});

test("they are let go by the beat behind them, and by none before", () => {
  const [one] = sendMinutes(around(minute(1), minute(2)), noMinutes, 5);
  const [two] = sendMinutes(around(minute(3)), one, 7);
  expect(takeBeatAck(two, 4)).toEqual([two, []]);
  const [left, effects] = takeBeatAck(two, 6);
  expect(effects).toEqual([{ t: "minutes-taken", upTo: 2 }]);
  expect(takeBeatAck(left, 6)).toEqual([left, []]);
  expect(takeBeatAck(left, 7)).toEqual([{ sent: 3, underWay: [] }, [{ t: "minutes-taken", upTo: 3 }]]);
});

test("a beat that acknowledges several at once lets all of them go", () => {
  const [one] = sendMinutes(around(minute(1)), noMinutes, 1);
  const [two] = sendMinutes(around(minute(2)), one, 2);
  expect(takeBeatAck(two, 2)).toEqual([{ sent: 2, underWay: [] }, [{ t: "minutes-taken", upTo: 2 }]]);
});

test("a message of the longest values that hosts say is one that servers take", () => {
  const longest = metricNames.map((name) => {
    const { most, precision } = metrics[name];
    return precision.kind === "step" && precision.step < 1 ? most - precision.step : most;
  });
  const held = Array.from({ length: metricLimits.sentMinutes }, (_, n) => ({
    number: n + 1,
    at: Number.MAX_SAFE_INTEGER,
    values: longest,
  }));
  const [, [effect]] = sendMinutes(around(...held), noMinutes, 1);
  if (effect?.t !== "send" || typeof effect.data !== "string") throw new Error("nothing was sent");
  expect(readControlFrame(effect.data, "agent")).toMatchObject({ t: "~minutes" });
  expect(effect.data.length).toBeLessThan(controlFrames["~minutes"].most * 0.75);
});
