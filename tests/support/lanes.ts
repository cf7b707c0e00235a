import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Outcome, Tally } from "./scenario.ts";

/**
 * How many things run side by side. No result depends on it: cases have numbers, each draws from the seed and its number,
 * and which lane does which decides nothing.
 */
const laneCount = Math.max(1, Math.min(2, availableParallelism()));

/** Which of the numbered cases are a lane's own. */
interface Lane {
  readonly first: number;
  readonly step: number;
}

/** Runs a module's `serveThread` once per lane, each in a thread of its own, and adds up the outcomes. */
export async function inThreads<Order extends object>(module: URL, order: Order): Promise<Tally> {
  const lanes = Array.from({ length: laneCount }, (_, first): Lane => ({ first, step: laneCount }));
  const sum = new Tally();
  for (const outcome of await Promise.all(lanes.map((lane) => inThread(module, order, lane)))) sum.add(outcome);
  return sum;
}

function inThread(module: URL, order: object, lane: Lane): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(module, {
      workerData: { order, lane },
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    worker.once("message", (outcome: Outcome) => resolve(outcome));
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread ended with ${code} and without an outcome`)));
  });
}

/** The lane's own of `count` cases. */
export type Share = (count: number) => Iterable<number>;

/** In a module started by `inThreads`: does this thread's share and reports. Elsewhere nothing happens. */
export async function serveThread<Order extends object>(
  work: (order: Order, share: Share, tally: Tally) => Promise<void>,
): Promise<void> {
  if (isMainThread || parentPort === null) return;
  const { order, lane } = workerData as { order: Order; lane: Lane };
  const tally = new Tally();
  await work(order, (count) => numbersOf(lane, count), tally);
  parentPort.postMessage(tally.outcome());
}

function* numbersOf({ first, step }: Lane, count: number): Generator<number> {
  for (let number = first; number < count; number += step) yield number;
}

/** Works through `items` with as many at a time as there are lanes. */
export async function inLanes<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: laneCount }, lane));
}
