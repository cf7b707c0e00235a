import { Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";
import { parentPort } from "node:worker_threads";
import type { StepJobs } from "./step-jobs.ts";

export interface StepTask {
  readonly job: keyof StepJobs;
  readonly input: unknown;
}

export interface StepReply {
  readonly value: unknown;
  /** How often a block of our own sources was entered. */
  readonly steps: number;
  /** How often each function of theirs was called, by its file and name. */
  readonly calls: Readonly<Record<string, number>>;
  /** Bytes by which this thread's heap and buffers have grown. */
  readonly grown: number;
}

// V8 does not count the calls of what it has inlined, and when it inlines is a matter of time.
for (const compiler of ["maglev", "turbo"]) setFlagsFromString(`--no-${compiler}-inlining`);
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
// Only now: V8 counts the blocks of what it compiles from then on.
const { stepJobs } = await import("./step-jobs.ts");

parentPort?.on("message", (task: StepTask) => void answer(task));

async function answer({ job, input }: StepTask): Promise<void> {
  await session.post("Profiler.takePreciseCoverage");
  const before = memoryHeld();
  const value = await (stepJobs[job] as (given: unknown) => Promise<unknown>)(input);
  const grown = memoryHeld() - before;
  const { result } = await session.post("Profiler.takePreciseCoverage");
  let steps = 0;
  const calls: Record<string, number> = {};
  for (const { url, functions } of result) {
    if (!url.startsWith("file:") || url.includes("/node_modules/")) continue;
    for (const { functionName, ranges } of functions) {
      for (const { count } of ranges) steps += count;
      const name = `${url.slice(url.lastIndexOf("/") + 1)} ${functionName}`;
      const [whole] = ranges;
      if (whole !== undefined && whole.count > 0) calls[name] = (calls[name] ?? 0) + whole.count;
    }
  }
  parentPort?.postMessage({ value, steps, calls, grown } satisfies StepReply);
}

function memoryHeld(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}
