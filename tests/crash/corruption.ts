import { seededRandom } from "@gatehouse/store/faulty";
import { damage } from "./damages.ts";
import { type FileName, type Image, prepareImage, type Reading, readDamaged } from "./damaged-image.ts";
import { inThreads, laneCount, serveThread } from "./lanes.ts";
import { type Outcome, type Scenario, Tally } from "./scenario.ts";
import { directory } from "./simulated-store.ts";

const randomCorruptions = 200_000;
const shortSeconds = 20;
/** Done by each lane also on a busy machine. */
const fewest = 500;
const logName = "state.json.audit-wal";

interface Share {
  readonly seed: number;
  readonly lane: number;
  readonly lanes: number;
  readonly corruptions: number;
  readonly seconds: number;
}

/** Every bit flipped and every length cut in small files, and random damage to a large log: refused by name or harmless. */
export const corruption: Scenario = {
  name: "corruption",
  run: async ({ seed, short }) => {
    const corruptions = Math.ceil(randomCorruptions / laneCount);
    const shares = Array.from({ length: laneCount }, (_, lane) => ({
      seed: seed * 10 + lane,
      lane,
      lanes: laneCount,
      corruptions,
      seconds: short ? shortSeconds : Infinity,
    }));
    const tally = await inThreads<Share>(new URL(import.meta.url), shares);
    if ((tally.counts.corruptions ?? 0) < randomCorruptions) {
      tally.notes.push(`as many of ${randomCorruptions} corruptions as fit into ${shortSeconds} s`);
    }
    return tally.outcome();
  },
};

await serveThread<Share>(corruptShare);

async function corruptShare(share: Share): Promise<Outcome> {
  const tally = new Tally();
  const deadline = performance.now() + share.seconds * 1_000;
  const small = await prepareImage(10, 25);
  // Every way in which each of the three files may be read when one bit of it is wrong.
  await everyFlip(tally, share, small, logName, ["refused", "exact"]);
  await everyFlip(tally, share, small, "state.json", ["refused"]);
  await everyFlip(tally, share, small, "master.key", ["refused"]);
  await everyTruncation(tally, share, small, logName);
  await everyTruncation(tally, share, small, "state.json");
  await everyTruncation(tally, share, small, "master.key");

  const large = await prepareImage(0, 1_000);
  const log = large.files.get(`${directory}/${logName}`) as Uint8Array;
  const random = seededRandom(share.seed);
  for (let done = 0; done < share.corruptions; done += 1) {
    if (done >= fewest && performance.now() > deadline) break;
    const { bytes, reachesEnd, how } = damage(log, random);
    const { reading, what } = await readDamaged(large, logName, bytes);
    tally.count("corruptions");
    // What reaches the end of the file looks like a write cut short: the rest must be exact, and the loss is reported
    // unless the file just ends between two groups, where only a witness can tell.
    const justEnds = reading === "shorter" && Buffer.compare(bytes, log.subarray(0, bytes.length)) === 0;
    const allowed = reading === "refused" || reading === "exact" || (reachesEnd && (reading === "cut" || justEnds));
    if (!allowed) tally.fail("undetected", `lane ${share.seed}, corruption ${done}: ${how}: ${what}`);
  }
  return tally.outcome();
}

async function everyFlip(
  tally: Tally,
  { lane, lanes }: Share,
  image: Image,
  name: FileName,
  allowed: readonly Reading[],
): Promise<void> {
  const bytes = image.files.get(`${directory}/${name}`) as Uint8Array;
  for (let bit = lane; bit < bytes.length * 8; bit += lanes) {
    const flipped = bytes.slice();
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    const { reading, what } = await readDamaged(image, name, flipped);
    tally.count("flips");
    if (!allowed.includes(reading)) tally.fail("undetected", `${name}, bit ${bit & 7} of byte ${bit >> 3}: ${what}`);
  }
}

/** A log that was cut short yields a first part of itself; no other file does. */
async function everyTruncation(tally: Tally, { lane, lanes }: Share, image: Image, name: FileName): Promise<void> {
  const bytes = image.files.get(`${directory}/${name}`) as Uint8Array;
  for (let size = lane; size < bytes.length; size += lanes) {
    const { reading, what } = await readDamaged(image, name, bytes.subarray(0, size));
    tally.count("truncations");
    const cleanEnd = size > 0 && bytes[size - 1] === 10;
    const harmless =
      name === logName && (reading === "exact" || reading === "cut" || (reading === "shorter" && cleanEnd));
    if (reading !== "refused" && !harmless) tally.fail("undetected", `${name} truncated to ${size}: ${what}`);
  }
}
