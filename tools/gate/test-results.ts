import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** What one test came to. Counts say how much it did: a run that did less is not the same run. */
export interface TestResult {
  readonly name: string;
  readonly verdict: "passed" | "failed" | "skipped";
  readonly counts?: Readonly<Record<string, number>>;
}

/** Names the file that a suite writes its results to, a line of JSON for each test; unset, nothing is written. */
export const resultsVariable = "GATEHOUSE_RESULTS";

/** Called by every suite for every test, so that two runs can be compared test by test. */
export function noteResult(result: TestResult): void {
  const file = process.env[resultsVariable];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(result)}\n`);
}

export function readResults(file: string): TestResult[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as TestResult);
}
