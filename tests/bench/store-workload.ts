import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { AuditEntry } from "@gatehouse/contract";
import { type Change, openFileStore } from "@gatehouse/store";
import { inventedEntry } from "../support/invented-entry.ts";
import { BareGroupCommit } from "./bare-group-commit.ts";

/** One durable lifecycle move, as the product makes it: an audit entry and a whole record. */
export function moveOf(id: number, version: number): { entry: AuditEntry; change: Change } {
  const at = 1_794_700_000_000 + version;
  return {
    entry: inventedEntry({
      at,
      actor: "usr_01jcq3v8w7e5f6g7h8j9kamnpq",
      action: "plugin.installed",
      subject: `plugin/example-${id}`,
      requestId: "req_01jcq3v8w7e5f6g7h8j9kamnpq",
      address: "192.0.2.17",
    }),
    change: {
      key: `plugin/example-${id}`,
      newVersion: version,
      value: {
        id: `example-${id}`,
        status: "installed",
        version: "1.4.2",
        artifactSha256: "ab".repeat(32),
        updatedAt: at,
      },
    },
  };
}

/** Runs `inFlight` callers, each waiting for its own commit, for `ms`; gives commits a second. */
async function drive(
  inFlight: number,
  ms: number,
  once: (caller: number, turn: number) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  const started = performance.now();
  const end = started + ms;
  await Promise.all(
    Array.from({ length: inFlight }, async (_, caller) => {
      for (let turn = 1; performance.now() < end; turn += 1) {
        await once(caller, turn);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - started) / 1_000);
}

export async function storeRate(directory: string, inFlight: number, ms: number): Promise<number> {
  await rm(directory, { recursive: true, force: true });
  const store = await openFileStore({ directory, checkpointBytes: 2 ** 40 });
  const rate = await drive(inFlight, ms, (caller, turn) => {
    const { entry, change } = moveOf(caller, turn);
    return store.commit(entry, [change]);
  });
  await store.abandon();
  return rate;
}

/** The same bytes for every commit, made the same way (JSON from the same objects), without chain, checks and state. */
export async function bareRate(directory: string, inFlight: number, ms: number): Promise<number> {
  const bare = new BareGroupCommit(join(directory, "..", "bare.log"));
  const rate = await drive(inFlight, ms, (caller, turn) => {
    const { entry, change } = moveOf(caller, turn);
    return bare.append(`${JSON.stringify(entry)},${JSON.stringify([change])}\n`);
  });
  bare.close();
  return rate;
}

/** As above, but the bytes lie ready: what the disk and the event loop alone can do. */
export async function readyRate(directory: string, inFlight: number, ms: number): Promise<number> {
  const bare = new BareGroupCommit(join(directory, "..", "bare.log"));
  const { entry, change } = moveOf(1, 1);
  const line = `${JSON.stringify(entry)},${JSON.stringify([change])}\n`;
  const rate = await drive(inFlight, ms, () => bare.append(line));
  bare.close();
  return rate;
}
