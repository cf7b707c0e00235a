import { join } from "node:path";
import { openFileStore, verifyDataDirectory, type WitnessedHead } from "@gatehouse/store";
import { Random } from "../support/random.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import type { Edit, Loot } from "./edit.ts";
import { type Changed, inDirectory } from "./files.ts";
import { getGround, lootsOf, turnOf } from "./ground.ts";
import { harms } from "./harms.ts";
import { errorText } from "./judge.ts";
import { chain, encodeLog, parseLog } from "./log-text.ts";

const name = "state.json.audit-wal";

/** A log that ends sooner than it did. Where the cut does not fall between two groups, the start tells of it. */
interface CutEnd extends Edit {
  readonly isTold: boolean;
}

const cutEnds: readonly CutEnd[] = [
  {
    name: "cut behind a group",
    isTold: false,
    make: (random, { own }) => {
      const log = parseLog(own.files[name]);
      log.groups.splice(random.below(log.groups.length));
      const last = log.groups.at(-1);
      if (last !== undefined && random.chance(0.5)) last.mark = undefined;
      return { bytes: encodeLog(log), how: `${log.groups.length} groups kept` };
    },
  },
  {
    name: "an earlier copy of the same log",
    isTold: false,
    make: (random, { own }) => {
      const earlier = own.before.filter(
        ({ checkpoint, position }) => checkpoint === own.checkpoint && position < own.position,
      );
      const { files, position } = random.pick(earlier);
      return { bytes: files[name], how: `of position ${position}` };
    },
  },
  {
    name: "the log before, which ends at the checkpoint",
    isTold: false,
    make: (random, { own }) => {
      const earlier = own.before.filter(
        ({ checkpoint, position }) => checkpoint < position && position === own.checkpoint,
      );
      return { bytes: random.pick(earlier).files[name], how: `of position ${own.checkpoint}` };
    },
  },
  {
    name: "cut inside a group",
    isTold: true,
    make: (random, { own }) => {
      const log = parseLog(own.files[name]);
      log.groups.splice(random.below(log.groups.length));
      const kept = encodeLog(log).length;
      const line = own.files[name].indexOf('{"first":', kept);
      const end = line + 1 + random.below(own.files[name].indexOf(10, line) - line);
      return { bytes: own.files[name].subarray(0, end), how: `to ${end} bytes` };
    },
  },
  {
    name: "the last groups are others, and no mark speaks for them",
    isTold: true,
    make: (random, { own }) => {
      const log = parseLog(own.files[name]);
      const from = random.below(log.groups.length);
      for (const group of log.groups.slice(from)) {
        group.entries = group.entries.map((entry) => ({ ...entry, actor: "system" }));
        group.mark = undefined;
        group.seal = undefined;
      }
      chain(log);
      return { bytes: encodeLog(log), how: `from group ${from} on` };
    },
  },
];

/** The one edit that no chain can see alone: the log just ends sooner. Whoever kept a signed head finds it every time. */
export const cuts: Scenario<"tamper"> = {
  name: "cut-ends",
  run: ({ seed, counts }) =>
    inScratch(async (home) => {
      const tally = new Tally();
      const loots = lootsOf(await getGround());
      for (let number = 0; number < counts.cuts; number += 1) {
        const cut = turnOf(cutEnds, number);
        const loot = turnOf(loots, Math.floor(number / cutEnds.length));
        const { bytes, how } = cut.make(new Random(seed, number), loot);
        const changed = { files: loot.own.files, name, bytes } as const;
        tally.count("cut ends");
        const what = `cut end ${number} of seed ${seed}: ${cut.name} (${how})`;
        const wrong = await findWrong(join(home, "case"), changed, { loot, isTold: cut.isTold });
        if (wrong !== undefined) tally.fail(`${what}: ${wrong}`);
        const unseen = await findUnseen(join(home, "case"), changed, loot.own.witness);
        if (unseen === undefined) tally.count("named by the witness");
        else tally.fail(`${what}: ${unseen}`, harms.unwitnessed);
      }
      return tally.outcome();
    }),
};

/** It starts with a first part of what was there and with nothing else; and says so where bytes are left over. */
function findWrong(
  directory: string,
  changed: Changed,
  { loot, isTold }: { readonly loot: Loot; readonly isTold: boolean },
): Promise<string | undefined> {
  return inDirectory(directory, changed, async () => {
    const store = await openFileStore({ directory });
    try {
      const { position } = await store.head();
      if (position >= loot.own.position) return `it starts at position ${position}, so nothing was cut`;
      if ((store.cut !== undefined) !== isTold) return `the start says ${JSON.stringify(store.cut ?? "nothing")}`;
      const report = await store.checkAudit();
      if (!report.ok || report.rebuilt !== undefined) return `the check says ${JSON.stringify(report)}`;
      const { items } = await store.searchAudit({ order: "oldest", limit: 1_000 });
      const text = JSON.stringify(items).slice(0, -1);
      return loot.own.reading.entries.startsWith(text) ? undefined : "its entries are no first part of those before";
    } finally {
      await store.abandon();
    }
  }).catch((error: unknown) => `it does not start: ${errorText(error)}`);
}

/** Verification sees nothing without the witness, and names the log and the position with it. */
function findUnseen(directory: string, changed: Changed, witness: WitnessedHead): Promise<string | undefined> {
  return inDirectory(directory, changed, async () => {
    const alone = await verifyDataDirectory({ directory });
    if (!alone.ok) return `verification alone says ${JSON.stringify(alone.broken)}`;
    const { ok, broken } = await verifyDataDirectory({ directory, witness });
    const isNamed = !ok && broken?.file === name && broken.position === witness.position;
    return isNamed ? undefined : `with the witness verification says ${JSON.stringify(broken ?? "ok")}`;
  }).catch((error: unknown) => `verification fails: ${errorText(error)}`);
}
