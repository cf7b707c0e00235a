import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { stopped } from "../../support/stopped.ts";
import type { StepJobs } from "./step-jobs.ts";
import type { StepReply, StepTask } from "./step-worker.ts";

export interface Counted<Value> extends StepReply {
  readonly value: Value;
}

/** Does work in a thread of its own and counts its steps: what it costs, in a number that no other program can change. */
export class StepCounts implements AsyncDisposable {
  readonly #worker = new Worker(new URL("./step-worker.ts", import.meta.url), { execArgv: [] });

  async of<Job extends keyof StepJobs>(
    job: Job,
    input: Parameters<StepJobs[Job]>[0],
  ): Promise<Counted<Awaited<ReturnType<StepJobs[Job]>>>> {
    this.#worker.postMessage({ job, input } satisfies StepTask);
    const [reply] = (await stopped(job, once(this.#worker, "message"))) as [StepReply];
    return reply as Counted<Awaited<ReturnType<StepJobs[Job]>>>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
