import type { BoundLogQuery } from "./log-query.ts";
import type { FoundLogs, LogLine, LogQuery } from "./telemetry.ts";

/** How a search ended. */
interface Searched {
  /** In the order in which they were looked for; one more than was asked for where there are more. */
  readonly found: readonly LogLine[];
  /** The id at which it gave up or broke off; undefined when nothing was left to look at. */
  readonly goOn: number | undefined;
  /** The highest id there was. */
  readonly newest: number;
}

/** Says what was found, and from where the next search goes on without missing a line or looking at one twice. */
export function answerOf({ isForward, limit, low }: BoundLogQuery, { found, goOn, newest }: Searched): FoundLogs {
  const items = found.slice(0, limit);
  const isCut = found.length > limit;
  const more = isCut || goOn !== undefined;
  const last = items.at(-1)?.id;
  if (isForward) {
    const seen = isCut && last !== undefined ? last : goOn === undefined ? Math.max(newest, low - 1) : goOn - 1;
    return { items: items.toReversed(), more, before: undefined, seen };
  }
  return { items, more, before: isCut ? last : goOn === undefined ? undefined : goOn + 1, seen: newest };
}

/** For a question that no line can answer: whoever follows stays where they are. */
export function nothingFound({ after }: Pick<LogQuery, "after">): FoundLogs {
  return { items: [], more: false, before: undefined, seen: after ?? 0 };
}
