import { hourMs, minuteMs } from "./pack-hour.ts";
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

/** Whole hours of a stretch: a long one is read in pieces, and others come between them. */
export interface MinutePiece extends MinuteQuery {
  /** The number of its first point in the whole stretch, which `from` is the beginning of. */
  readonly first: number;
  /** Where the piece begins, in that point. */
  readonly low: number;
}

export function* cutMinuteQuery({ node, from, to, stepMs }: MinuteQuery, hours: number): Generator<MinutePiece> {
  const pieceMs = hours * hourMs;
  for (let begin = Math.floor(from / pieceMs) * pieceMs; begin < to; begin += pieceMs) {
    const low = Math.max(begin, from);
    const first = Math.floor((low - from) / stepMs);
    yield { node, stepMs, first, low, from: from + first * stepMs, to: Math.min(begin + pieceMs, to) };
  }
}
