import { isFault } from "@gatehouse/contract";
import { faultyVfs, type FaultyVfs } from "@gatehouse/files/faulty";
import { inThreads, serveThread } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import type { Tally } from "../support/scenario.ts";
import { Filling } from "./filling.ts";
import { type Harm, harms } from "./harms.ts";
import { expectedText, readBack } from "./read-back.ts";
import { abandon, directory, Machine } from "./simulated-store.ts";
import { stopClock } from "./stopped-clock.ts";

const roomy = 1_000_000;

interface Order {
  readonly seed: number;
  readonly disks: number;
}

/** Small disks in memory that are filled while a store works on them, and smaller ones on which it cannot even begin. */
export function fillSimulatedDisks(order: Order): Promise<Tally> {
  return inThreads<Order>(new URL(import.meta.url), order);
}

await serveThread<Order>(async ({ seed, disks }, share, tally) => {
  stopClock();
  for (const disk of share(disks)) await fillSimulatedDisk(tally, seed * 10_000 + disk);
  for (const size of share(86)) await startOnFullDisk(tally, size * 7);
});

/** Fills a small disk in memory, frees it, fills it again, cuts power, and compares. */
async function fillSimulatedDisk(tally: Tally, seed: number): Promise<void> {
  const random = new Random(seed);
  const disk = faultyVfs({ directories: [directory], capacity: roomy });
  const machine = new Machine(disk);
  const wrong = (kind: Harm, what: string): void => tally.fail(`disk ${seed}: ${what}`, harms[kind]);
  const checkpointBytes = random.pick([1_500, 10_000, roomy]);
  const running = await machine.start({ checkpointBytes });
  if (running === undefined) throw new Error("the process ended while it started");
  const life = new Filling(running.store, seed % 1_000_000);
  for (let round = 0; round < 3; round += 1) {
    await life.fill(random.below(30));
    const refusal = await squeeze(disk, life, random.below(6_000));
    tally.count("checks");
    if (!isFault(refusal, "store.disk_full")) return wrong("other", `a full disk was answered with ${String(refusal)}`);
    const found = await readBack(running.store).catch((error: unknown) => String(error));
    if (typeof found === "string") return wrong("other", `reading from a full disk failed: ${found}`);
    if (found.text !== expectedText(found.places)) return wrong("undetected", "the records do not follow from the log");
    disk.setCapacity(roomy);
    if (!(await life.recovers())) return wrong("other", "freed space was not used again");
  }
  if (running.fatal.length > 0) return wrong("other", `a full disk ended the process: ${String(running.fatal[0])}`);
  await squeeze(disk, life, random.below(3_000));
  abandon(running);
  const after = await new Machine(disk.crash(random), machine.index.at(disk.ops))
    .start({ checkpointBytes })
    .catch((error: unknown) => String(error));
  if (after === undefined || typeof after === "string")
    return wrong("other", `the start from a full disk failed: ${after}`);
  const { places, text } = await readBack(after.store);
  abandon(after);
  const lost = [...life.acknowledged].find(([position, { n }]) => places[position - 1]?.n !== n);
  if (lost !== undefined) return wrong("lost", `position ${lost[0]} was acknowledged and is gone`);
  const ghost = places.find(({ n }) => life.refused.has(n));
  if (ghost !== undefined) return wrong("undetected", `commit ${ghost.n} was refused, but is there`);
  if (text !== expectedText(places)) wrong("undetected", "the records do not follow from the log");
}

/** Leaves less and less space until something does not fit: a checkpoint may have made room in between. */
async function squeeze(disk: FaultyVfs, life: Filling, room: number): Promise<unknown> {
  for (let left = room; ; left >>= 1) {
    const { free, total } = await disk.space(directory);
    disk.setCapacity(total - free + Math.min(left, free));
    const refusal = await life.fill(20);
    if (refusal !== undefined || left === 0) return refusal;
  }
}

/** A first start without space fails, and leaves nothing that keeps a later one from succeeding. */
async function startOnFullDisk(tally: Tally, capacity: number): Promise<void> {
  const disk = faultyVfs({ directories: [directory], capacity });
  const start = () => new Machine(disk).start({ checkpointBytes: roomy }).catch((error: unknown) => error as Error);
  const first = await start();
  disk.setCapacity(roomy);
  const second = first instanceof Error ? await start() : first;
  tally.count("checks");
  if (second === undefined || second instanceof Error) {
    tally.fail(`a first start with ${capacity} bytes of space spoiled the directory: ${String(second)}`);
    return;
  }
  abandon(second);
}
