import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Settings } from "../support/suite-settings.ts";

/** One way to get something past the verifier. */
export interface Scenario {
  readonly name: string;
  readonly run: (settings: Settings<"bundles:hostile">) => Promise<Outcome>;
}

export interface Slowest {
  readonly ms: number;
  readonly what: string;
}

export interface Outcome {
  /** What was tried, by name, in the order in which it is told. */
  readonly counts: Readonly<Record<string, number>>;
  /** What was accepted and should not have been. */
  readonly wronglyAccepted: number;
  /** What went wrong, each a sentence that lets it be repeated. Empty means passed. */
  readonly failures: readonly string[];
  readonly failed: number;
  readonly slowest: Slowest;
}

/** More than anybody reads; the rest is counted. */
const keptFailures = 200;

/** Collects one scenario's outcome while it runs. */
export class Tally {
  readonly counts: Record<string, number> = {};
  readonly failures: string[] = [];
  wronglyAccepted = 0;
  failed = 0;
  slowest: Slowest = { ms: 0, what: "nothing" };

  count(name: string, more = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + more;
  }

  fail(what: string): void {
    this.failed += 1;
    if (this.failures.length < keptFailures) this.failures.push(what);
  }

  failAccepted(what: string): void {
    this.wronglyAccepted += 1;
    this.fail(what);
  }

  took(ms: number, what: () => string): void {
    if (ms > this.slowest.ms) this.slowest = { ms, what: what() };
  }

  add(part: Outcome): void {
    for (const [name, more] of Object.entries(part.counts)) this.count(name, more);
    this.wronglyAccepted += part.wronglyAccepted;
    this.failed += part.failed;
    this.failures.push(...part.failures);
    if (part.slowest.ms > this.slowest.ms) this.slowest = part.slowest;
  }

  outcome(): Outcome {
    const { counts, failures, failed, wronglyAccepted, slowest } = this;
    return { counts, failures, failed, wronglyAccepted, slowest };
  }
}

/** How many things run side by side. */
export const laneCount = Math.max(1, Math.min(2, availableParallelism()));

/** Runs a module once per share, each in a thread of its own, and adds up the outcomes. */
export async function inThreads<Share>(module: URL, shares: readonly Share[]): Promise<Tally> {
  const sum = new Tally();
  for (const outcome of await Promise.all(shares.map((share) => inThread(module, share)))) sum.add(outcome);
  return sum;
}

function inThread(module: URL, share: unknown): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(module, { workerData: share });
    worker.once("message", (outcome: Outcome) => resolve(outcome));
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread ended with ${code} and without an outcome`)));
  });
}

/** In a module started by `inThreads`: does this thread's share and reports. Elsewhere nothing happens. */
export async function serveThread<Share>(work: (share: Share) => Promise<Outcome>): Promise<void> {
  if (isMainThread || parentPort === null) return;
  parentPort.postMessage(await work(workerData as Share));
}
