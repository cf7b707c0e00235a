import { inThreads, type Share, serveThread } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import type { Scenario, Tally } from "../support/scenario.ts";
import { checkCut } from "./check-cut.ts";
import { harms } from "./harms.ts";
import { record } from "./recording.ts";
import { stopClock } from "./stopped-clock.ts";

const cutsPerRecording = 200;

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
}

async function cutRecording(random: Random, count: number, name: string, tally: Tally): Promise<void> {
  const recording = await record(random.below(1_000_000)).catch((error: unknown) => {
    tally.fail(`${name}: ${String(error)}`);
  });
  if (recording === undefined) return;
  for (let cut = 0; cut < count; cut += 1) {
    const disk = random.below(2 ** 32);
    const op = random.below(recording.machine.disk.ops + 1);
    const verdict = await checkCut(recording, op, new Random(disk));
    if (verdict !== undefined)
      tally.fail(`${name}, operation ${op}, disk ${disk}: ${verdict.what}`, harms[verdict.kind]);
  }
}
