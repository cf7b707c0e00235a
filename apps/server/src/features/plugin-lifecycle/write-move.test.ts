import { manualClock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { pluginKind, userKind } from "@gatehouse/contract/records";
import { openDecide, put } from "@gatehouse/store/decide";
import { samplePlugin, sampleUser } from "../../../../../tests/support/sample-records.ts";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import { farStore } from "../../../test/far-store.ts";
import { type Actor, bytesOf, type Move, writeMove } from "./write-move.ts";

const record = samplePlugin();
const detail = { ...bytesOf(record), from: null, to: "verified" } as const;
const move: Move = { action: "plugin.verified", record, detail };

const user = userKind.key("usr_1");

/** A user's own record, which changes while the move is written. */
async function setUp() {
  const store = farStore();
  let was = 0;
  const touch = async () => {
    const entry = inventedEntry({ at: 1, actor: "system", action: "test.touched", subject: user.text });
    ({ version: was } = await store.commit(entry, [put({ key: user, version: was }, sampleUser({ updatedAt: was }))]));
  };
  await touch();
  return { deps: { store, decide: openDecide(store), clock: manualClock() }, store, touch };
}

test("a race about the actor's records is run again, and writes one entry", async () => {
  const { deps, store, touch } = await setUp();
  let reads = 0;
  const actor: Actor = {
    name: "usr_1",
    requestId: "req_1",
    address: "192.0.2.1",
    requireRights: async (read) => {
      await read.get(user);
      reads += 1;
      if (reads < 3) await touch();
    },
  };
  const written = await writeMove(deps, actor, undefined, move);
  expect(reads).toBe(3);
  expect(await store.get(pluginKind.key("netguard"))).toMatchObject({ version: written.version, value: record });
  const { items } = await store.searchAudit({ action: "plugin.", limit: 10 });
  expect(items).toMatchObject([{ actor: "usr_1", subject: "plugin/netguard", requestId: "req_1", outcome: "done" }]);
});

test("a race about the plugin is refused", async () => {
  const { deps } = await setUp();
  const system: Actor = { name: "system", requireRights: () => Promise.resolve() };
  await writeMove(deps, system, undefined, move);
  await expect(writeMove(deps, system, undefined, move)).rejects.toMatchObject({ code: "store.conflict" });
});

test("an actor who has lost the right writes nothing, and a race that never ends is given up", async () => {
  const { deps, store, touch } = await setUp();
  const gone = fault("auth.credential_refused", "gone");
  const lost: Actor = { name: "usr_1", requireRights: () => Promise.reject(gone) };
  await expect(writeMove(deps, lost, undefined, move)).rejects.toBe(gone);
  const busy: Actor = {
    name: "usr_1",
    requireRights: async (read) => {
      await read.get(user);
      await touch();
    },
  };
  await expect(writeMove(deps, busy, undefined, move)).rejects.toMatchObject({ code: "store.conflict" });
  expect(await store.get(pluginKind.key("netguard"))).toBeUndefined();
});
