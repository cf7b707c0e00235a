import { noteResult } from "../../tools/gate/test-results.ts";
import { stopped } from "../support/stopped.ts";

/** Far more than any check takes; what is not done by then hangs. */
const checkLimitMs = 600_000;

/** Names what was looked at and keeps what was found. A check that throws has failed, and the next one still runs. */
export class Checks {
  passed = 0;
  failed = 0;
  readonly #only: string | undefined;
  /** What is still to be said; undefined when it is said at once. */
  #kept: string[] | undefined = [];

  constructor(only: string | undefined) {
    this.#only = only;
  }

  /** Whether any of these would run; for whoever has to start a server first. */
  wants(...names: readonly string[]): boolean {
    return this.#only === undefined || names.some((name) => name.includes(this.#only ?? ""));
  }

  /** What the work gives back is shown beside the name: a figure, or nothing. Every check has one try. */
  async run(name: string, work: () => Promise<string | void>): Promise<void> {
    if (!this.wants(name)) return;
    const started = performance.now();
    try {
      const said = await stopped(name, work(), checkLimitMs);
      this.passed += 1;
      noteResult({ name, verdict: "passed" });
      this.#say(`ok     ${name}${told(said)} ${seconds(started)}`);
    } catch (error) {
      this.fail(name, error, seconds(started));
    }
  }

  /** For a whole part that could not go on: its remaining checks were not made. */
  fail(name: string, error: unknown, when = ""): void {
    this.failed += 1;
    noteResult({ name, verdict: "failed" });
    this.#say(`FAILED ${name} ${when}\n${indented(error instanceof Error ? error.message : String(error))}`);
  }

  /** Says what was kept, and everything else as it comes. Parts that run beside each other so speak one after the other. */
  speak(): void {
    for (const line of this.#kept ?? []) console.log(line);
    this.#kept = undefined;
  }

  #say(line: string): void {
    if (this.#kept === undefined) console.log(line);
    else this.#kept.push(line);
  }
}

function told(said: string | void): string {
  return said === undefined ? "" : `: ${said}`;
}

function seconds(started: number): string {
  return `(${((performance.now() - started) / 1_000).toFixed(1)} s)`;
}

function indented(text: string): string {
  return text
    .split("\n")
    .slice(0, 14)
    .map((line) => `         ${line}`)
    .join("\n");
}
