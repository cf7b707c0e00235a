import type { FrameOf } from "@gatehouse/channel";
import { hostLogLimits } from "@gatehouse/contract";
import type { LogAnswer } from "./log-answer.ts";
import { writeLogCheckpoint } from "./log-checkpoint.ts";
import type { Behind, LogQuestion, LogsAround, LogsRun } from "./logs-state.ts";

interface AnsweredQuestion {
  /** All that are followed. */
  readonly sources: readonly string[];
  readonly question: LogQuestion;
  readonly answer: LogAnswer;
}

interface TakenLogs {
  readonly run: LogsRun;
  /** Whether it is worth asking again at once. */
  readonly isMore: boolean;
  /** Undefined when there is nothing that the server does not have. */
  readonly frame: FrameOf<"logs"> | undefined;
}

/** A message without lines counts as so many, a second's worth at most: reading for it and keeping it is work as well. */
const emptyCost = 20;

/** What an answer of the helper changes, and what is said to the server about it: lines, what was left out, or only where logs are. */
export function takeLogs(around: LogsAround, run: LogsRun, { sources, question, answer }: AnsweredQuestion): TakenLogs {
  const places = new Map(run.places);
  for (const [s, source] of question.sources.entries()) {
    const place = answer.cursors[s];
    if (typeof place === "string") places.set(source, place);
  }
  const behind = new Map(run.behind);
  for (const [s, source] of question.sources.entries()) {
    const next = behindAfter(around.monotonic(), run.behind.get(source), { s, question, answer });
    if (next === undefined) behind.delete(source);
    else behind.set(source, next);
  }
  const kept = writeLogCheckpoint(sources, places);
  const isNews = answer.lines.length > 0 || answer.lost.length > 0 || kept !== run.kept;
  const isMore = answer.more.length > 0 || question.skip;
  // Without a step forward the next answer would be this one again: it is waited for as if there were nothing.
  if (!isNews) return { run: { ...run, behind, places }, isMore: question.skip, frame: undefined };
  const cost = answer.lines.length || Math.min(emptyCost, run.linesPerSecond);
  const budget = { ...run.budget, lines: run.budget.lines - cost };
  const seq = run.seq + 1;
  return {
    run: { ...run, budget, seq, now: { t: "sent", after: { places, kept, behind }, isMore } },
    isMore,
    frame: {
      t: "logs",
      seq,
      at: around.now(),
      sources: [...question.sources],
      lines: answer.lines,
      dropped: answer.lost.map((lost) => ({ ...lost, lines: mostTold(lost.lines) })),
      checkpoint: kept,
    },
  };
}

/** The server takes no larger number, and without the note it would not know of any. */
function mostTold(lines: number | null): number | null {
  return lines === null ? null : Math.min(lines, hostLogLimits.droppedLines);
}

function behindAfter(
  now: number,
  before: Behind | undefined,
  { s, question, answer }: Omit<AnsweredQuestion, "sources"> & { readonly s: number },
): Behind | undefined {
  if (question.skip || !answer.more.includes(s)) return undefined;
  const lines = answer.lines.filter((line) => line.s === s).length;
  return { since: before?.since ?? now, lines: (before?.lines ?? 0) + lines };
}
