import { type CommandRun, findTally } from "./run-command.ts";
import type { TestResult } from "./test-results.ts";

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  /** Tests in quarantine: they ran, and count for nothing. */
  readonly quarantined: readonly TestResult[];
  /** One or two words for the table. */
  readonly word: string;
  /** The suite's own last word. */
  readonly lastLine: string;
}

/**
 * What a suite's run counts for. Silence is a failure: a suite that ran no test, that died after its last good word, or
 * whose list of tests is not what it counted, must not look like one that passed.
 */
export function judgeSuite(
  run: Pick<CommandRun, "code" | "output" | "timedOut">,
  results: readonly TestResult[],
  isQuarantined: (name: string) => boolean = () => false,
): Verdict {
  const tally = findTally(run.output);
  const lastLine = tally?.line ?? lastLineOf(run.output);
  const quarantined = results.filter(({ name }) => isQuarantined(name));
  if (tally === undefined)
    return { passed: 0, failed: 1, quarantined, word: run.timedOut ? "stopped" : "no tally", lastLine };
  const spared = (verdict: TestResult["verdict"]) => quarantined.filter((result) => result.verdict === verdict).length;
  const passed = tally.passed - spared("passed");
  const failed = tally.failed - spared("failed");
  const verdict = (word: string, more = 0): Verdict => ({ passed, failed: failed + more, quarantined, word, lastLine });
  if (run.timedOut) return verdict("stopped", failed === 0 ? 1 : 0);
  if (failed > 0) return verdict("failed");
  const listed = (word: TestResult["verdict"]) => results.filter((result) => result.verdict === word).length;
  if (listed("passed") !== tally.passed || listed("failed") !== tally.failed) return verdict("tests not listed", 1);
  if (run.code !== 0 && tally.failed === 0) return verdict(`exit ${run.code}`, 1);
  if (passed === 0) return verdict("no tests", 1);
  return verdict("ok");
}

export function lastLineOf(output: string): string {
  return output.trimEnd().split("\n").at(-1)?.trim().slice(0, 160) ?? "";
}
