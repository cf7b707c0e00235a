import { join } from "node:path";
import { inThreads, type Share, serveThread } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import type { Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import { archiveEdits } from "./archive-edits.ts";
import type { Edit, Loot } from "./edit.ts";
import type { Changed, FileName } from "./files.ts";
import { harms } from "./harms.ts";
import { findDisagreement, judgeEdit } from "./judge.ts";
import { keyEdits } from "./key-edits.ts";
import { logEdits } from "./log-edits.ts";
import { getGround, type Ground, lootsOf, turnOf } from "./ground.ts";
import { stateEdits } from "./state-edits.ts";

interface Order {
  readonly seed: number;
  readonly edits: number;
  /** Rounds over all kinds of edits in which the offline doors are asked too. */
  readonly doorRounds: number;
  readonly ground: Ground;
  readonly home: string;
}

const kinds: readonly (Edit & { readonly file: FileName })[] = [stateEdits, logEdits, archiveEdits, keyEdits].flatMap(
  ({ file, edits }) => edits.map((edit) => ({ ...edit, file })),
);

/** One file changed by somebody without the key: refused at the start, or reported when the check in the background ends. */
export const edits: Scenario<"tamper"> = {
  name: "edits",
  run: ({ seed, counts, short }) =>
    inScratch(async (home) => {
      const ground = await getGround();
      const order = { seed, edits: counts.edits, doorRounds: short ? 1 : Number.POSITIVE_INFINITY, ground, home };
      const tally = await inThreads<Order>(new URL(import.meta.url), order);
      tally.notes.push(`${kinds.length} kinds of edits`);
      return tally.outcome();
    }),
};

await serveThread<Order>(editShare);

async function editShare(order: Order, share: Share, tally: Tally): Promise<void> {
  const loots = lootsOf(order.ground);
  for (const number of share(order.edits)) {
    const round = Math.floor(number / kinds.length);
    const kind = turnOf(kinds, number);
    const loot = turnOf(loots, number + round);
    const directory = join(order.home, `case-${number}`);
    await editOnce({ kind, loot, directory, order, number, withDoors: round < order.doorRounds }, tally);
  }
}

interface Case {
  readonly kind: (typeof kinds)[number];
  readonly loot: Loot;
  readonly directory: string;
  readonly order: Order;
  readonly number: number;
  readonly withDoors: boolean;
}

async function editOnce({ kind, loot, directory, order, number, withDoors }: Case, tally: Tally): Promise<void> {
  const { file } = kind;
  const { bytes, how } = kind.make(new Random(order.seed, number), loot);
  const changed: Changed = { files: loot.own.files, name: file, bytes };
  const what = `edit ${number} of seed ${order.seed}: ${file}, ${kind.name} (${how})`;
  tally.count("edits");
  if (bytes?.equals(loot.own.files[file]) === true) return tally.fail(`${what}: it changed no byte`);
  const verdict = await judgeEdit(directory, changed, loot.own);
  tally.count(verdict.fate);
  if (verdict.fate === "accepted silently") {
    tally.fail(`${what}: ${verdict.wrong ?? "everything reads as before"}`, harms.accepted);
  } else if (verdict.wrong !== undefined) tally.fail(`${what}: ${verdict.fate}, but ${verdict.wrong}`);
  if (!withDoors) return undefined;
  tally.count("asked at all doors");
  const disagreement = await findDisagreement(directory, changed, verdict);
  if (disagreement === undefined) return undefined;
  return tally.fail(`${what}: ${verdict.fate} (${verdict.said}), but ${disagreement}`, harms.disagreed);
}
