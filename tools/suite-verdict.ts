import { type CommandRun, findTally } from "./run-command.ts";

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  /** One or two words for the table. */
  readonly word: string;
  /** The suite's own last word. */
  readonly lastLine: string;
}

/**
 * What a suite's run counts for. Silence is a failure: a suite that ran no test, or died after its last good word,
 * must not look like one that passed.
 */
export function judgeSuite(run: Pick<CommandRun, "code" | "output" | "timedOut">): Verdict {
  const tally = findTally(run.output);
  const lastLine = tally?.line ?? lastLineOf(run.output);
  if (tally === undefined) return { passed: 0, failed: 1, word: run.timedOut ? "timed out" : "no tally", lastLine };
  const { passed } = tally;
  if (run.timedOut) return { passed, failed: Math.max(tally.failed, 1), word: "timed out", lastLine };
  if (tally.failed > 0) return { passed, failed: tally.failed, word: "failed", lastLine };
  if (run.code !== 0) return { passed, failed: 1, word: `exit ${run.code}`, lastLine };
  if (passed === 0) return { passed, failed: 1, word: "no tests", lastLine };
  return { passed, failed: 0, word: "ok", lastLine };
}

export function lastLineOf(output: string): string {
  return output.trimEnd().split("\n").at(-1)?.trim().slice(0, 160) ?? "";
}
