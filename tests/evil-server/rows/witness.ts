import { rmSync } from "node:fs";
import { join } from "node:path";
import { encodeBase64url, packHeadRows } from "@gatehouse/channel";
import { newPrivateKey } from "@gatehouse/keys";
import { digestOf, type MadeHead, makeLine, rowsOf } from "../../../apps/agent/test/head-line.ts";
import type { Found } from "./found.ts";
import { inTurn } from "./in-turn.ts";
import { planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import { type HostWish, type RowHost, signedCeiling } from "./row-host.ts";

/** A host that has not seen any head. */
const unseen: HostWish = {
  ceiling: signedCeiling,
  before: ({ paths }) => {
    for (const name of ["witness.json", "witness-days.json"]) rmSync(join(paths.helperState, name), { force: true });
  },
};

const line = makeLine(20);
const other = makeLine(20, { salt: 2 });
const at = (heads: readonly MadeHead[], n: number) => heads[n - 1] as MadeHead;

/** What became of a head: why it was refused, or that it was taken. */
async function show(host: RowHost, head: MadeHead, rows?: { readonly from: number; readonly of: readonly MadeHead[] }) {
  const proof = rows === undefined ? {} : { from: rows.from, rows: encodeBase64url(packHeadRows(rowsOf(rows.of))) };
  const found = await host.ask("head.put", { signed: head.text, ...proof });
  const { state, code } = found.answer as unknown as { readonly state?: string; readonly code?: string | null };
  if (found.code !== "answered") return found;
  return { ...found, code: state === "refused" ? (code ?? "refused") : (state ?? "nothing") } satisfies Found;
}

/** The fifth head of the honest line is held; then these are shown. */
const afterFifth = async ({ open }: RowGround, ...heads: readonly MadeHead[]): Promise<Found[]> => {
  const host = await open(unseen);
  return inTurn([at(line, 5), ...heads], (head) => show(host, head));
};

export const witness: RowFamily = {
  name: "witness",
  control: {
    does: "heads that go on from each other are taken, one by one and by rows, and a change that Ada has approved",
    expects: ["taken", "taken", "missing", "taken", "applied"],
    mayChange: usualChange,
    attack: async ({ open }) => {
      const host = await open(unseen);
      const shown = await inTurn([5, 6, 12], (n) => show(host, at(line, n)));
      const proved = await show(host, at(line, 12), { from: 7, of: line.slice(6, 12) });
      return [...shown, proved, await host.change(taskOf(host, await planFor(host)))];
    },
  },
  rows: [
    {
      row: 251,
      does: "an older head, and an older position under a newer number",
      expects: ["taken", "witness.regressed", "witness.regressed"],
      attack: (ground) => afterFifth(ground, at(line, 3), at(makeLine(1, { first: 9, step: 1 }), 1)),
    },
    {
      row: 252,
      does: "another head with the number of the one that is held",
      expects: ["taken", "witness.fork"],
      attack: (ground) => afterFifth(ground, at(other, 5)),
    },
    {
      row: 253,
      does: "a log that was written anew under a new line of heads: the next one, one from nothing, and rows that lead to it",
      expects: ["taken", "witness.fork", "witness.fork", "witness.fork"],
      attack: async ({ open }) => {
        const host = await open(unseen);
        const shown = await inTurn([at(line, 5), at(other, 6), at(makeLine(1, { first: 6 }), 1)], (head) =>
          show(host, head),
        );
        return [...shown, await show(host, at(other, 12), { from: 6, of: other.slice(5, 12) })];
      },
    },
    {
      row: 254,
      does: "a number far ahead, and no row of those between",
      expects: ["taken", "missing", "witness.gap"],
      attack: async ({ open }) => {
        const host = await open(unseen);
        const shown = await inTurn([at(line, 5), at(line, 20)], (head) => show(host, head));
        return [...shown, await show(host, at(line, 20), { from: 6, of: [] })];
      },
    },
    {
      row: 255,
      does: "the next head, signed by another key",
      expects: ["taken", "witness.signature"],
      attack: (ground) =>
        afterFifth(ground, at(makeLine(1, { first: 6, prev: digestOf(at(line, 5)), key: newPrivateKey() }), 1)),
    },
    {
      row: 256,
      does: "different lines to two hosts: each takes its own, and one number with two signatures is the proof (bounded)",
      expects: ["taken", "taken"],
      attack: async ({ open }) => {
        const first = await show(await open(unseen), at(line, 5));
        return [first, await show(await open({ ...unseen }), at(other, 5))];
      },
    },
    {
      row: 257,
      does: "no heads at all: the age of the one that is held is told (bounded)",
      by: "apps/agent/src/witness/take-head.test.ts",
      name: "a head grows old when none comes behind it, and its age is told",
    },
  ],
};
