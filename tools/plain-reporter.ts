import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { noteResult, type TestResult } from "./gate/test-results.ts";
import { root } from "./repository.ts";

/** Ends a run with the plain line that `.ci/run` adds up: `N passed, N failed, N skipped`. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly message: string }[] = []): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    // What broke outside of every test fails the run: the line has to say so too.
    const outside = errors.map(({ message }) => ({
      name: `outside of every test: ${message}`,
      verdict: "failed" as const,
    }));
    for (const result of [...modules.flatMap(resultsOf), ...outside]) {
      count[result.verdict] += 1;
      noteResult(result);
    }
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}

export function resultsOf(testModule: TestModule): TestResult[] {
  const file = relative(root, testModule.moduleId);
  const results: TestResult[] = [];
  for (const test of testModule.children.allTests()) {
    const { state } = test.result();
    const verdict = state === "passed" || state === "failed" ? state : "skipped";
    results.push({ name: `${file} > ${test.fullName}`, verdict });
  }
  // A file that could not even be loaded holds no tests: it counts as one failure, or a broken import would be green.
  if (testModule.state() === "failed" && testModule.errors().length > 0) {
    results.push({ name: `${file} can be loaded`, verdict: "failed" });
  }
  return results;
}
