import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { stopMs } from "../support/stopped.ts";
import type { FleetPlan, FleetReport, Order } from "./orders.ts";

const lookMs = 100;

/** The simulated agents, in a thread of their own. */
export class SimulatedFleet {
  readonly #worker: Worker;
  readonly #waiting: ((report: FleetReport) => void)[] = [];
  readonly #failed: Promise<never>;

  constructor(plan: FleetPlan) {
    this.#worker = new Worker(new URL("./simulator.ts", import.meta.url), { workerData: plan });
    this.#worker.on("message", (report: FleetReport) => this.#waiting.shift()?.(report));
    this.#failed = new Promise((_, reject) => {
      this.#worker.once("error", reject);
    });
    // Whoever asks next hears of it.
    this.#failed.catch(() => undefined);
  }

  tell(order: Exclude<Order, { do: "report" }>): void {
    this.#worker.postMessage(order);
  }

  report(): Promise<FleetReport> {
    const { promise, resolve } = Promise.withResolvers<FleetReport>();
    this.#waiting.push(resolve);
    this.#worker.postMessage({ do: "report" } satisfies Order);
    return Promise.race([promise, this.#failed]);
  }

  /** Asks until it is so. The clock only stops what never will be. */
  async until(what: string, isSo: (report: FleetReport) => boolean, limitMs = stopMs): Promise<FleetReport> {
    const last = performance.now() + limitMs;
    for (;;) {
      const report = await this.report();
      if (isSo(report)) return report;
      if (performance.now() > last) {
        throw new Error(
          `stopped after ${limitMs / 1_000} s: ${what}; ${JSON.stringify({ ...report, welcomedAt: [] })}`,
        );
      }
      await delay(lookMs);
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
