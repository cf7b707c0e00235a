import { rm } from "node:fs/promises";
import { defineKind } from "@gatehouse/contract/records";
import { kindsOf, openFileStore } from "@gatehouse/store";
import { create, put } from "@gatehouse/store/decide";
import * as z from "zod";
import { inventedEntry } from "../support/invented-entry.ts";

const nodeKind = defineKind({
  name: "node",
  says: "A node of the size that a fleet keeps.",
  schema: z.strictObject({ id: z.string(), name: z.string(), labels: z.array(z.string()), note: z.string() }),
  kept: "for ever",
});
const seenKind = defineKind({
  name: "node-seen",
  says: "A small record that changes all the time.",
  schema: z.strictObject({ version: z.int() }),
  kept: "for ever",
});
const kinds = kindsOf([nodeKind, seenKind]);

export interface Stall {
  readonly longest: number;
  readonly ms: number;
  readonly bytes: number;
}

/** The longest time the event loop was away while a checkpoint of many records was written and commits went on. */
export async function measureStall(directory: string, records: number): Promise<Stall> {
  await rm(directory, { recursive: true, force: true });
  const store = await openFileStore({ directory, kinds, checkpointBytes: 2 ** 40 });
  const note = "a node as the fleet keeps it: names, labels, addresses, versions, ceilings and times. ".repeat(8);
  for (let from = 0; from < records; from += 500) {
    const changes = Array.from({ length: 500 }, (_, n) => {
      const id = `node_${String(from + n).padStart(26, "0")}`;
      return create(nodeKind.key(id), { id, name: `host-${from + n}.example.net`, labels: ["eu", "web"], note });
    });
    await store.commit(
      inventedEntry({ at: 1, actor: "system", action: "node.enrolled", subject: "node/many" }),
      changes,
    );
  }
  globalThis.gc?.();
  let longest = 0;
  let last = performance.now();
  let running = true;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  const started = performance.now();
  const checkpoint = store.checkpoint();
  const ended = checkpoint.then(() => "ended" as const);
  let seen = { key: seenKind.key("one"), version: 0 };
  for (;;) {
    const commit = store.commit(inventedEntry({ at: 1, actor: "system", action: "node.seen", subject: "node/one" }), [
      put(seen, { version: seen.version }),
    ]);
    if ((await Promise.race([ended, commit])) === "ended") break;
    seen = { ...seen, ...(await commit) };
  }
  await checkpoint;
  running = false;
  const ms = performance.now() - started;
  const bytes = store.stateBytes;
  await store.close();
  return { longest, ms, bytes };
}
