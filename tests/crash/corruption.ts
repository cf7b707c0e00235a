import { inThreads, type Share, serveThread } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import type { Scenario, Tally } from "../support/scenario.ts";
import { damage } from "./damages.ts";
import { type FileName, type Image, prepareImage, type Reading, readDamaged } from "./damaged-image.ts";
import { harms } from "./harms.ts";
import { prepareOldImage } from "./old-image.ts";
import { directory } from "./simulated-store.ts";

const logName = "state.json.audit-wal";

interface Order {
  readonly seed: number;
  readonly corruptions: number;
}

/** Every bit flipped and every length cut in small files, and random damage to a large log: refused by name or harmless. */
export const corruption: Scenario<"crash"> = {
  name: "corruption",
  run: async ({ seed, counts: { corruptions } }) =>
    (await inThreads<Order>(new URL(import.meta.url), { seed, corruptions })).outcome(),
};

await serveThread<Order>(corruptShare);

async function corruptShare({ seed, corruptions }: Order, share: Share, tally: Tally): Promise<void> {
  const small = await prepareImage(10, 25);
  // Every way in which each of the three files may be read when one bit of it is wrong.
  await everyFlip(tally, share, small, logName, ["refused", "exact"]);
  await everyFlip(tally, share, small, "state.json", ["refused"]);
  await everyFlip(tally, share, small, "master.key", ["refused"]);
  await everyTruncation(tally, share, small, logName);
  await everyTruncation(tally, share, small, "state.json");
  await everyTruncation(tally, share, small, "master.key");
  const old = await prepareOldImage(6);
  // Undamaged it is taken: or every refusal below would say nothing.
  const untouched = await readDamaged(old, logName, old.files.get(`${directory}/${logName}`) as Uint8Array);
  if (untouched.reading !== "exact") tally.fail(`a log of 0.1.5 as it was: ${untouched.what}`, harms.lost);
  await everyFlip(tally, share, old, logName, ["refused", "exact"]);
  await everyTruncation(tally, share, old, logName);

  const large = await prepareImage(0, 1_000);
  const log = large.files.get(`${directory}/${logName}`) as Uint8Array;
  for (const number of share(corruptions)) {
    const { bytes, reachesEnd, how } = damage(log, new Random(seed, number));
    const { reading, what } = await readDamaged(large, logName, bytes);
    tally.count("corruptions");
    // What reaches the end of the file looks like a write cut short: the rest must be exact, and the loss is reported
    // unless the file just ends between two groups, where only a witness can tell.
    const justEnds = reading === "shorter" && Buffer.compare(bytes, log.subarray(0, bytes.length)) === 0;
    const allowed = reading === "refused" || reading === "exact" || (reachesEnd && (reading === "cut" || justEnds));
    if (!allowed) tally.fail(`corruption ${number} of seed ${seed}: ${how}: ${what}`, harms.undetected);
  }
}

async function everyFlip(
  tally: Tally,
  share: Share,
  image: Image,
  name: FileName,
  allowed: readonly Reading[],
): Promise<void> {
  const bytes = image.files.get(`${directory}/${name}`) as Uint8Array;
  for (const bit of share(bytes.length * 8)) {
    const flipped = bytes.slice();
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    const { reading, what } = await readDamaged(image, name, flipped);
    tally.count("flips");
    if (!allowed.includes(reading))
      tally.fail(`${name}, bit ${bit & 7} of byte ${bit >> 3}: ${what}`, harms.undetected);
  }
}

/** A log that was cut short yields a first part of itself; no other file does. */
async function everyTruncation(tally: Tally, share: Share, image: Image, name: FileName): Promise<void> {
  const bytes = image.files.get(`${directory}/${name}`) as Uint8Array;
  for (const size of share(bytes.length)) {
    const { reading, what } = await readDamaged(image, name, bytes.subarray(0, size));
    tally.count("truncations");
    const cleanEnd = size > 0 && bytes[size - 1] === 10;
    const harmless =
      name === logName && (reading === "exact" || reading === "cut" || (reading === "shorter" && cleanEnd));
    if (reading !== "refused" && !harmless) tally.fail(`${name} truncated to ${size}: ${what}`, harms.undetected);
  }
}
