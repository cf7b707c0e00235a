import { basename } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { type AdvisoryClass, classes, fileOf } from "./classes.ts";

/** Says for every class whether we are immune and what was tried, and ends with the two lines that others quote. */
export class ClassReporter implements Reporter {
  passed = 0;
  failed: number;
  readonly #seed: number;
  readonly #verdicts = new Map<string, Verdict>();

  constructor(seed: number, failedBefore: number) {
    this.#seed = seed;
    this.failed = failedBefore;
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
    const tried: string[] = [];
    let passed = 0;
    let failed = 0;
    for (const test of found.children.allTests()) {
      if (test.result().state === "passed") passed += 1;
      else failed += 1;
      const { tried: words } = test.meta();
      if (words !== undefined) tried.push(words);
    }
    // A file that could not be loaded, or that holds no test, proves nothing.
    if (found.errors().length > 0 || passed + failed === 0) failed += 1;
    this.passed += passed;
    this.failed += failed;
    return { isImmune: failed === 0, tried, seconds: found.diagnostic().duration / 1_000 };
  }
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
