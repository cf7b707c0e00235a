import { inThreads, type Share, serveThread } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import type { Scenario, Tally } from "../support/scenario.ts";
import { checkCut } from "./check-cut.ts";
import { harms } from "./harms.ts";
import { oldFiles, recordOldStart } from "./old-start.ts";
import { type Recording, record } from "./recording.ts";
import { stopClock } from "./stopped-clock.ts";

const cutsPerRecording = 200;
/** After every operation of a first start on old files. */
const disksPerOperation = 10;

interface Order {
  readonly seed: number;
  readonly cuts: number;
}

/** Power cuts on a disk in memory: after any operation, with everything that was not synced kept, lost, torn or reordered. */
export const cuts: Scenario<"crash"> = {
  name: "cuts",
  run: async ({ seed, counts }) =>
    (await inThreads<Order>(new URL(import.meta.url), { seed, cuts: counts.cuts })).outcome(),
};

await serveThread<Order>(cutShare);

async function cutShare({ seed, cuts: all }: Order, share: Share, tally: Tally): Promise<void> {
  stopClock();
  for (const number of share(Math.ceil(all / cutsPerRecording))) {
    const here = Math.min(cutsPerRecording, all - number * cutsPerRecording);
    tally.count("cuts", here);
    await cutRecording(new Random(seed, number), here, `recording ${number} of seed ${seed}`, tally);
  }
  for (const number of share(oldFiles)) {
    await cutOldStart(new Random(seed, number), number, `old files ${number} of seed ${seed}`, tally);
  }
}

async function cutRecording(random: Random, count: number, name: string, tally: Tally): Promise<void> {
  const recording = await unlessFailed(record(random.below(1_000_000)), name, tally);
  if (recording === undefined) return;
  for (let cut = 0; cut < count; cut += 1) {
    const disk = random.below(2 ** 32);
    await cutAt(recording, random.below(recording.machine.disk.ops + 1), disk, name, tally);
  }
}

/** A log that an earlier version began is renewed by the first start: power may fail anywhere in there. */
async function cutOldStart(random: Random, number: number, name: string, tally: Tally): Promise<void> {
  const recording = await unlessFailed(recordOldStart(number, random), name, tally);
  if (recording === undefined) return;
  for (let op = 0; op <= recording.machine.disk.ops; op += 1) {
    for (let cut = 0; cut < disksPerOperation; cut += 1) {
      tally.count("cuts of a first start on old files");
      await cutAt(recording, op, random.below(2 ** 32), name, tally);
    }
  }
}

async function cutAt(recording: Recording, op: number, disk: number, name: string, tally: Tally): Promise<void> {
  const verdict = await checkCut(recording, op, new Random(disk));
  if (verdict !== undefined) tally.fail(`${name}, operation ${op}, disk ${disk}: ${verdict.what}`, harms[verdict.kind]);
}

function unlessFailed(recorded: Promise<Recording>, name: string, tally: Tally): Promise<Recording | undefined> {
  return recorded.catch((error: unknown) => {
    tally.fail(`${name}: ${String(error)}`);
    return undefined;
  });
}
