import { manualClock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { pluginKind, userKind } from "@gatehouse/contract/records";
import { memoryStore } from "@gatehouse/store";
import { samplePlugin, sampleUser } from "../../../../../tests/support/sample-records.ts";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import { type Actor, bytesOf, type Move, writeMove } from "./write-move.ts";

const record = samplePlugin();
const detail = { ...bytesOf(record), from: null, to: "verified" } as const;
const move: Move = { action: "plugin.verified", record, detail };

/** A user's own record, which changes while the move is written. */
async function setUp() {
  const store = memoryStore();
  let version = 0;
  const touch = async () => {
    version += 1;
    const entry = inventedEntry({ at: 1, actor: "system", action: "test.touched", subject: "user/usr_1" });
    await store.commit(entry, [
      { key: userKind.key("usr_1"), newVersion: version, value: sampleUser({ updatedAt: version }) },
    ]);
  };
  await touch();
  return { store, touch, clock: manualClock(), seen: () => version };
}

test("a race about the actor's records is run again, and writes one entry", async () => {
  const { store, touch, clock, seen } = await setUp();
  let reads = 0;
  const actor: Actor = {
    name: "usr_1",
    requestId: "req_1",
    address: "192.0.2.1",
    standing: async () => {
      const version = seen();
      reads += 1;
      if (reads < 3) await touch();
      return [{ key: userKind.key("usr_1"), version }];
    },
  };
  const written = await writeMove({ store, clock }, actor, undefined, move);
  expect([written.version, reads]).toEqual([1, 3]);
  const { items } = await store.searchAudit({ action: "plugin.", limit: 10 });
  expect(items).toMatchObject([{ actor: "usr_1", subject: "plugin/netguard", requestId: "req_1", outcome: "done" }]);
});

test("a race about the plugin is refused", async () => {
  const { store, clock } = await setUp();
  const system: Actor = { name: "system", standing: () => Promise.resolve([]) };
  await writeMove({ store, clock }, system, undefined, move);
  await expect(writeMove({ store, clock }, system, undefined, move)).rejects.toMatchObject({ code: "store.conflict" });
});

test("an actor who has lost the right writes nothing, and a race that never ends is given up", async () => {
  const { store, clock, touch, seen } = await setUp();
  const lost: Actor = { name: "usr_1", standing: () => Promise.reject(fault("auth.credential_refused", "gone")) };
  await expect(writeMove({ store, clock }, lost, undefined, move)).rejects.toMatchObject({
    code: "auth.credential_refused",
  });
  const busy: Actor = {
    name: "usr_1",
    standing: async () => {
      await touch();
      return [{ key: userKind.key("usr_1"), version: seen() - 1 }];
    },
  };
  await expect(writeMove({ store, clock }, busy, undefined, move)).rejects.toMatchObject({
    code: "store.conflict",
  });
  expect(await store.get(pluginKind.key("netguard"))).toBeUndefined();
});
