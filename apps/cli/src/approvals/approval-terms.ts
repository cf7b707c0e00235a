import { wordLimits } from "@gatehouse/approval/verify";
import { UsageError } from "@gatehouse/command-line";
import { rollbackWindows } from "@gatehouse/contract/routes";
import { parseDuration } from "../parse-duration.ts";
import { parseTimeOption } from "../parse-time-option.ts";

/** From when to when an approval holds, in milliseconds, and the seconds after which a host takes the change back. */
export interface ApprovalTerms {
  readonly notBefore: number;
  readonly notAfter: number;
  readonly rollbackWindow: number;
}

export interface GivenTerms {
  readonly window?: string;
  readonly "not-before"?: string;
  readonly rollback?: string;
}

/** An hour: a server that was taken over can withhold everything but the end of an approval. */
export const unsaidWindow = "60m";

/** What is out of the limits of hosts is refused here: nobody signs what no host would take. */
export function parseTerms(given: GivenTerms, now: number, topic: string): ApprovalTerms {
  const { window: text = unsaidWindow, "not-before": begin, rollback } = given;
  const life = wordLimits.life / 1_000;
  const window = parseDuration(text, { option: "--window", topic, least: 60, most: life });
  const notBefore = begin === undefined ? now : parseTimeOption(begin, "--not-before", topic);
  const notAfter = notBefore + window * 1_000;
  if (notAfter <= now) throw new UsageError("--not-before and --window end in the past", topic);
  if (notAfter - now > wordLimits.life) {
    throw new UsageError("an approval holds for 31 days at most, counted from now", topic);
  }
  return { notBefore, notAfter, rollbackWindow: parseRollback(rollback, topic) };
}

function parseRollback(text: string | undefined, topic: string): number {
  const { least, unsaid, most } = rollbackWindows;
  if (text === undefined) return unsaid;
  const seconds = /^[1-9][0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= least && seconds <= most) return seconds;
  throw new UsageError(
    `--rollback must be a whole number of seconds from ${least} to ${most}; found ${JSON.stringify(text)}`,
    topic,
  );
}
