import { describe, expect, test } from "vitest";
import { memoryStore } from "./memory-store.ts";
import { entryOf, storeCases } from "./store-cases.ts";

describe("memory store", () => {
  storeCases(async () => {
    const store = memoryStore();
    return { store, done: () => store.close() };
  });

  test("a record that is changed in place fails at once, not after a restart", async () => {
    const store = memoryStore();
    await store.commit(entryOf("thing/a"), [{ key: "thing/a", newVersion: 1, value: { list: [1] } }]);
    const record = await store.get<{ list: number[] }>("thing/a");
    expect(() => record?.value.list.push(2)).toThrow(TypeError);
  });

  test("pruning keeps the place where verification begins", async () => {
    const store = memoryStore();
    for (let n = 0; n < 10; n += 1) await store.commit(entryOf("x/y"));
    await store.pruneAudit({ actor: "system", at: 1 }, 6);
    const report = await store.verifyAudit();
    expect(report).toMatchObject({ ok: true, floor: { position: 6 }, records: 5 });
    expect((await store.searchAudit({ limit: 100, order: "oldest" })).items[0]).toMatchObject({ position: 7 });
  });
});
