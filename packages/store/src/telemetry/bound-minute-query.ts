import { minuteMs } from "./pack-hour.ts";
import type { MinuteQuery, TelemetryLimits } from "./telemetry.ts";

export interface BoundMinuteQuery {
  readonly query: MinuteQuery;
  /** 0 where nothing can be drawn. */
  readonly points: number;
}

/** Whatever is asked for, so much is read: what goes beyond is cut off at the end, and what is no time at all has no points. */
export function boundMinuteQuery(
  asked: MinuteQuery,
  { points: mostPoints, stretchMs }: Pick<TelemetryLimits, "points" | "stretchMs">,
): BoundMinuteQuery {
  const from = Math.max(asked.from, 0);
  const stepMs = Math.max(Math.floor(asked.stepMs / minuteMs), 1) * minuteMs;
  const to = Math.min(asked.to, from + mostPoints * stepMs, from + stretchMs);
  const points = Math.ceil((to - from) / stepMs);
  // Also what is not a number ends here.
  const isDrawn = points > 0 && Number.isSafeInteger(from) && Number.isSafeInteger(to);
  return { query: { node: asked.node, from, to, stepMs }, points: isDrawn ? points : 0 };
}
