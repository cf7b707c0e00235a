import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with the plain line that `.ci/run` adds up: `N passed, N failed, N skipped`. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const testModule of modules) {
      for (const test of testModule.children.allTests()) {
        const { state } = test.result();
        count[state === "passed" || state === "failed" ? state : "skipped"] += 1;
      }
      // A file that could not even be loaded holds no tests: it counts as one failure, or a broken import would be green.
      if (testModule.state() === "failed" && testModule.errors().length > 0) count.failed += 1;
    }
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}
