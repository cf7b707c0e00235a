import { appendLine } from "./json-lines.ts";

/** What one test came to. Counts say how much it did: a run that did less is not the same run. */
export interface TestResult {
  readonly name: string;
  readonly verdict: "passed" | "failed" | "skipped";
  readonly counts?: Readonly<Record<string, number>>;
}

/** Names the file that a suite writes its results to. */
export const resultsVariable = "GATEHOUSE_RESULTS";

/** Called by every suite for every test, so that two runs can be compared test by test. */
export function noteResult(result: TestResult): void {
  appendLine(resultsVariable, result);
}
