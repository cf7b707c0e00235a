import { rm } from "node:fs/promises";
import { openFileStore } from "@gatehouse/store";
import { inventedEntry } from "../support/invented-entry.ts";

export interface Stall {
  readonly longest: number;
  readonly ms: number;
  readonly bytes: number;
}

/** The longest time the event loop was away while a checkpoint of many records was written and commits went on. */
export async function measureStall(directory: string, records: number): Promise<Stall> {
  await rm(directory, { recursive: true, force: true });
  const store = await openFileStore({ directory, checkpointBytes: 2 ** 40 });
  const note = "a node as the fleet keeps it: names, labels, addresses, versions, ceilings and times. ".repeat(8);
  for (let from = 0; from < records; from += 500) {
    const changes = Array.from({ length: 500 }, (_, n) => {
      const id = `node_${String(from + n).padStart(26, "0")}`;
      const value = { id, name: `host-${from + n}.example.net`, labels: ["eu", "web"], note };
      return { key: `node/${id}`, newVersion: 1, value };
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
  for (let version = 1; ; version += 1) {
    const change = { key: "node/one", newVersion: version, value: { version } };
    const commit = store.commit(inventedEntry({ at: 1, actor: "system", action: "node.seen", subject: "node/one" }), [
      change,
    ]);
    if ((await Promise.race([ended, commit])) === "ended") break;
    await commit;
  }
  await checkpoint;
  running = false;
  const ms = performance.now() - started;
  const bytes = store.stateBytes;
  await store.close();
  return { longest, ms, bytes };
}
