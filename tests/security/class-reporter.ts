import { basename } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { noteResult, type TestResult } from "../../tools/gate/test-results.ts";
import { resultsOf } from "../../tools/plain-reporter.ts";
import { type AdvisoryClass, classes, fileOf } from "./classes.ts";

/** Says for every class whether we are immune and what was tried, and ends with the two lines that others quote. */
export class ClassReporter implements Reporter {
  passed = 0;
  failed = 0;
  readonly #seed: number;
  readonly #verdicts = new Map<string, Verdict>();

  constructor(seed: number, problemsOfTheTable: readonly string[]) {
    this.#seed = seed;
    for (const problem of problemsOfTheTable) this.#note({ name: `classes.ts: ${problem}`, verdict: "failed" });
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const found of modules) this.#verdicts.set(basename(found.moduleId), this.#judge(found));
  }

  /** After the last run: the line of every class, in their order, and the sum. */
  conclude(): void {
    let immune = 0;
    for (const advisory of classes) {
      const verdict = this.#verdicts.get(fileOf(advisory));
      if (verdict === undefined) continue;
      if (verdict.isImmune) immune += 1;
      print(`${lineOf(advisory, verdict)}\n`);
    }
    print(`security: ${immune}/${classes.length} immune (seed ${this.#seed})\n`);
    print(`${this.passed} passed, ${this.failed} failed\n`);
  }

  #judge(found: TestModule): Verdict {
    const results = resultsOf(found).map(counted);
    // A file that holds no test proves nothing.
    if (results.length === 0) results.push({ name: `${basename(found.moduleId)} holds a test`, verdict: "failed" });
    for (const result of results) this.#note(result);
    const tried = [...found.children.allTests()].flatMap((test) => test.meta().tried ?? []);
    const isImmune = results.every(({ verdict }) => verdict === "passed");
    return { isImmune, tried, seconds: found.diagnostic().duration / 1_000 };
  }

  #note(result: TestResult): void {
    if (result.verdict === "passed") this.passed += 1;
    else this.failed += 1;
    noteResult(result);
  }
}

/** A test that did not run shows nothing either. */
function counted({ name, verdict }: TestResult): TestResult {
  return { name, verdict: verdict === "skipped" ? "failed" : verdict };
}

interface Verdict {
  readonly isImmune: boolean;
  readonly tried: readonly string[];
  readonly seconds: number;
}

function lineOf({ number, name }: AdvisoryClass, { isImmune, tried, seconds }: Verdict): string {
  const word = isImmune ? "immune" : "NOT IMMUNE";
  const title = `${String(number).padStart(2, "0")} ${name.replaceAll("-", " ")}`;
  return `${title}: ${word} (${tried.join("; ")}) ${seconds.toFixed(1)} s`;
}

function print(text: string): void {
  process.stdout.write(text);
}
