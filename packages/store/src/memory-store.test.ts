import { describe, expect, test } from "vitest";
import { inventedKey, inventedKinds } from "../../../tests/support/invented-kinds.ts";
import { memoryStore } from "./memory-store.ts";
import { entryOf, storeCases } from "./store-cases.ts";

describe("memory store", () => {
  storeCases(async () => {
    const store = memoryStore(inventedKinds);
    return { store, done: () => store.close() };
  });

  test("a record that is changed in place fails at once, not after a restart", async () => {
    const store = memoryStore(inventedKinds);
    await store.commit(entryOf("thing/a"), [{ key: inventedKey("thing/a"), newVersion: 1, value: { list: [1] } }]);
    const list = (await store.get(inventedKey("thing/a")))?.value["list"] as number[];
    expect(() => list.push(2)).toThrow(TypeError);
  });

  test("pruning keeps the place where verification begins", async () => {
    const store = memoryStore(inventedKinds);
    for (let n = 0; n < 10; n += 1) await store.commit(entryOf("x/y"));
    await store.pruneAudit({ actor: "system", at: 1 }, 6);
    const report = await store.verifyAudit();
    expect(report).toMatchObject({ ok: true, floor: { position: 6 }, records: 5 });
    expect((await store.searchAudit({ limit: 100, order: "oldest" })).items[0]).toMatchObject({ position: 7 });
  });
});
