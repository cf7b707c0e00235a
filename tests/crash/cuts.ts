import { seededRandom } from "@gatehouse/store/faulty";
import { checkCut } from "./check-cut.ts";
import { inThreads, laneCount, serveThread } from "./lanes.ts";
import { record } from "./recording.ts";
import { type Outcome, type Scenario, Tally } from "./scenario.ts";

const cutsPerRecording = 200;
const totalCuts = 100_000;
const shortSeconds = 45;

interface Share {
  readonly seed: number;
  readonly cuts: number;
  readonly seconds: number;
}

/** Power cuts on a disk in memory: after any operation, with everything that was not synced kept, lost, torn or reordered. */
export const cuts: Scenario = {
  name: "cuts",
  run: async ({ seed, short }) => {
    const share = { cuts: Math.ceil(totalCuts / laneCount), seconds: short ? shortSeconds : Infinity };
    const lanes = Array.from({ length: laneCount }, (_, lane) => ({ ...share, seed: seed * 10 + lane }));
    const tally = await inThreads<Share>(new URL(import.meta.url), lanes);
    const done = tally.counts.cuts ?? 0;
    if (done < totalCuts) tally.notes.push(`as many of ${totalCuts} cuts as fit into ${shortSeconds} s`);
    return tally.outcome();
  },
};

await serveThread<Share>(cutShare);

async function cutShare({ seed, cuts: wanted, seconds }: Share): Promise<Outcome> {
  const tally = new Tally();
  const random = seededRandom(seed);
  const deadline = performance.now() + seconds * 1_000;
  let done = 0;
  while (done < wanted && performance.now() < deadline) {
    const recordingSeed = random.below(1_000_000);
    const recording = await record(recordingSeed).catch((error: unknown) => {
      tally.fail("other", `recording ${recordingSeed}: ${String(error)}`);
    });
    if (recording === undefined) continue;
    for (let cut = 0; cut < cutsPerRecording && done < wanted; cut += 1) {
      done += 1;
      const cutSeed = random.below(2 ** 32);
      const op = random.below(recording.machine.disk.ops + 1);
      const verdict = await checkCut(recording, op, seededRandom(cutSeed));
      if (verdict === undefined) continue;
      tally.fail(verdict.kind, `recording ${recordingSeed}, operation ${op}, disk ${cutSeed}: ${verdict.what}`);
    }
  }
  tally.count("cuts", done);
  return tally.outcome();
}
