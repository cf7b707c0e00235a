import { inventedKinds } from "../../../tests/support/invented-kinds.ts";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { expect, test } from "vitest";
import { memoryStore } from "./far-store.ts";
import { pruneBefore } from "./prune-before.ts";

async function filled(times: readonly number[]) {
  const store = memoryStore(inventedKinds);
  for (const at of times) await store.commit(inventedEntry({ at, actor: "system", action: "x.made", subject: "x/1" }));
  return store;
}
const by = { actor: "system", at: 1_000 };

test("what is older is forgotten, that is a record, and the chain verifies from there on", async () => {
  const store = await filled([10, 20, 30, 40]);
  expect(await pruneBefore(store, by, 30)).toMatchObject({ position: 2 });
  const { items } = await store.searchAudit({ limit: 9 });
  expect(items.map(({ action, position }) => [position, action])).toEqual([
    [5, "audit.pruned"],
    [4, "x.made"],
    [3, "x.made"],
  ]);
  expect(await store.verifyAudit()).toMatchObject({ ok: true, floor: { position: 2 }, records: 3 });
});

test("nothing to forget changes nothing", async () => {
  const store = await filled([10, 20]);
  expect(await pruneBefore(store, by, 10)).toBeUndefined();
  expect(await pruneBefore(store, by, 20)).toMatchObject({ position: 1 });
  const { position } = await store.head();
  expect(await pruneBefore(store, by, 20)).toBeUndefined();
  expect(await store.head()).toMatchObject({ position });
});

test("a record that is young enough stays, and so does what was written after it, whatever its time", async () => {
  const store = await filled([10, 500, 20, 30]);
  expect(await pruneBefore(store, by, 100)).toMatchObject({ position: 1 });
  expect((await store.searchAudit({ limit: 9 })).items).toHaveLength(4);
});
