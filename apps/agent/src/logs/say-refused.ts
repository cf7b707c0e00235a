import type { LogAnswer } from "./log-answer.ts";

type SaidRefusals = ReadonlyMap<string, string>;

/** Lines for the agent's own log: why a log is left out, once, and again when it is another reason or none. */
export function sayRefused(
  said: SaidRefusals,
  asked: readonly string[],
  refused: LogAnswer["refused"],
): readonly [SaidRefusals, readonly string[]] {
  const next = new Map(said);
  const lines: string[] = [];
  for (const [s, source] of asked.entries()) {
    const found = refused.find((each) => each.s === s);
    const why = found === undefined ? undefined : `${found.code}: ${found.detail}`;
    if (why === said.get(source)) continue;
    if (why === undefined) next.delete(source);
    else next.set(source, why);
    lines.push(why === undefined ? `the log ${source} is sent again` : `the log ${source} is not sent: ${why}`);
  }
  return [next, lines];
}
