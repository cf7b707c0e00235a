import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type AuditEntry, lifecycleStates } from "@gatehouse/contract";
import { defineKind, moment, text } from "@gatehouse/contract/records";
import { type Change, type Committed, kindsOf, openFileStore, type Version } from "@gatehouse/store";
import { put } from "@gatehouse/store/decide";
import * as z from "zod";
import { inventedEntry } from "../support/invented-entry.ts";
import { BareGroupCommit } from "./bare-group-commit.ts";

/** A plugin's record with the fields that make up its size. Closed, so that the store judges every value of it. */
const movedKind = defineKind({
  name: "plugin",
  says: "Where a plugin stands in its lifecycle.",
  schema: z.strictObject({
    id: text,
    status: z.enum(lifecycleStates),
    version: text,
    artifactSha256: text,
    updatedAt: moment,
  }),
  kept: "for ever",
});
export const movedKinds = kindsOf([movedKind]);

/** One durable lifecycle move, as the product makes it: an audit entry and a whole record in the place of version `was`. */
export function moveOf(id: number, turn: number, was: Version): { entry: AuditEntry; change: Change } {
  const at = 1_794_700_000_000 + turn;
  const key = movedKind.key(`example-${id}`);
  return {
    entry: inventedEntry({
      at,
      actor: "usr_01jcq3v8w7e5f6g7h8j9kamnpq",
      action: "plugin.installed",
      subject: key.text,
      requestId: "req_01jcq3v8w7e5f6g7h8j9kamnpq",
      address: "192.0.2.17",
    }),
    change: put(
      { key, version: was },
      {
        id: key.id,
        status: "installed",
        version: "1.4.2",
        artifactSha256: "ab".repeat(32),
        updatedAt: at,
      },
    ),
  };
}

/** The bytes that the store keeps of a move, for a bare loop to write. */
export function bareLine({ entry, change }: ReturnType<typeof moveOf>): string {
  const { key, was, value } = change;
  return `${JSON.stringify(entry)},${JSON.stringify([{ key: key.text, was, value }])}\n`;
}

/** Runs `inFlight` callers, each waiting for its own commit of its own record, for `ms`; gives commits a second. */
async function drive(
  inFlight: number,
  ms: number,
  once: (caller: number, turn: number, was: Version) => Promise<Committed>,
): Promise<number> {
  let done = 0;
  const started = performance.now();
  const end = started + ms;
  await Promise.all(
    Array.from({ length: inFlight }, async (_, caller) => {
      let was = 0;
      for (let turn = 1; performance.now() < end; turn += 1) {
        was = (await once(caller, turn, was)).version;
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - started) / 1_000);
}

export async function storeRate(directory: string, inFlight: number, ms: number): Promise<number> {
  await rm(directory, { recursive: true, force: true });
  const store = await openFileStore({ directory, kinds: movedKinds, checkpointBytes: 2 ** 40 });
  const rate = await drive(inFlight, ms, (caller, turn, was) => {
    const { entry, change } = moveOf(caller, turn, was);
    return store.commit(entry, [change]);
  });
  await store.abandon();
  return rate;
}

/** The same bytes for every commit, made the same way (JSON from the same objects), without chain, checks and state. */
export async function bareRate(directory: string, inFlight: number, ms: number): Promise<number> {
  const bare = new BareGroupCommit(join(directory, "..", "bare.log"));
  const rate = await drive(inFlight, ms, (caller, turn, was) => bare.append(bareLine(moveOf(caller, turn, was))));
  bare.close();
  return rate;
}

/** As above, but the bytes lie ready: what the disk and the event loop alone can do. */
export async function readyRate(directory: string, inFlight: number, ms: number): Promise<number> {
  const bare = new BareGroupCommit(join(directory, "..", "bare.log"));
  const line = bareLine(moveOf(1, 1, 0));
  const rate = await drive(inFlight, ms, () => bare.append(line));
  bare.close();
  return rate;
}
