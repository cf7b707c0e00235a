import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { stopMs } from "../support/stopped.ts";
import type { HostChange, YardOrder, YardPlan, YardReport } from "./changes.ts";

const lookMs = 100;

/** The simulated hosts, in a thread of their own. They are asked one thing at a time. */
export class ChangingFleet {
  readonly #worker: Worker;

  constructor(plan: YardPlan) {
    this.#worker = new Worker(new URL("./changing-yard.ts", import.meta.url), { workerData: plan });
  }

  async connect(count: number): Promise<void> {
    // As many a second as a fleet of this size has after a restart of its server.
    this.#tell({ do: "connect", withinSeconds: Math.ceil(count / 500) });
    await this.until(`${count} agents are welcomed`, ({ online }) => online === count);
  }

  /** Asks until it is so. The clock only stops what never will be. */
  async until(what: string, isSo: (report: YardReport) => boolean): Promise<YardReport> {
    const last = performance.now() + 2 * stopMs;
    for (;;) {
      const report = await this.report();
      if (isSo(report)) return report;
      if (performance.now() > last) throw new Error(`stopped: ${what}; ${JSON.stringify(report)}`);
      await delay(lookMs);
    }
  }

  report(): Promise<YardReport> {
    return this.#ask({ do: "report" });
  }

  changes(): Promise<readonly HostChange[]> {
    return this.#ask({ do: "changes" });
  }

  leave(): void {
    this.#tell({ do: "leave" });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #ask<Answer>(order: YardOrder): Promise<Answer> {
    const answered = once(this.#worker, "message") as Promise<[Answer]>;
    this.#tell(order);
    return (await answered)[0];
  }

  #tell(order: YardOrder): void {
    this.#worker.postMessage(order);
  }
}
