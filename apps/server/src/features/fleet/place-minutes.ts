import type { FrameOf } from "@gatehouse/channel";
import { fitMetricValues, metricLimits, type MetricValues } from "@gatehouse/contract";

/** What a host has measured, at the server's time. */
export interface PlacedMinute {
  readonly at: number;
  readonly values: MetricValues;
}

/**
 * Minutes at the server's time: a host whose clock is off says its own time with them. It moves them by whole minutes, so that
 * one that is sent again falls on itself. What is too old, or not over yet, is left out.
 */
export function placeMinutes({ at: hostTime, minutes }: FrameOf<"~minutes">, now: number): readonly PlacedMinute[] {
  const { minuteMs, oldestMs } = metricLimits;
  const ahead = Math.round((hostTime - now) / minuteMs) * minuteMs;
  return minutes
    .map(({ at, values }) => ({ at: Math.floor(at / minuteMs) * minuteMs - ahead, values: fitMetricValues(values) }))
    .filter(({ at }) => at >= now - oldestMs && at <= now);
}
