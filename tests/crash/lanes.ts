import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Outcome, Tally } from "./scenario.ts";

/** How many things run side by side. */
export const laneCount = Math.max(1, Math.min(2, availableParallelism()));

/** Runs `work` once per lane, each in a thread of its own with its own share, and adds up the outcomes. */
export async function inThreads<Share>(module: URL, shares: readonly Share[]): Promise<Tally> {
  const sum = new Tally();
  const outcomes = await Promise.all(shares.map((share) => inThread(module, share)));
  for (const outcome of outcomes) sum.add(outcome);
  return sum;
}

function inThread(module: URL, share: unknown): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(module, { workerData: share, resourceLimits: { maxYoungGenerationSizeMb: 64 } });
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

/** Works through `items` with as many at a time as there are lanes. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  work: (item: Item, lane: number) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const lane = async (index: number): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value, index);
  };
  await Promise.all(Array.from({ length: laneCount }, (_, index) => lane(index)));
}
