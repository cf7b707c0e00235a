import { describe, expect, test } from "vitest";
import { inventedKey, inventedKinds } from "../../../tests/support/invented-kinds.ts";
import { create } from "./change.ts";
import { farDatabase, memoryStore } from "./far-store.ts";
import { entryOf, refusal, storeCases } from "./store-cases.ts";

describe("the store of one process, in memory", () => {
  storeCases(async () => {
    const store = memoryStore(inventedKinds);
    return { here: store, there: store, done: () => store.close() };
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

describe.each([1, 2, 3, 4, 5])("two replicas of a far database, seed %i", (seed) => {
  storeCases(async () => {
    const database = farDatabase({ seed, kinds: inventedKinds });
    const [here, there] = [database.openReplica().store, database.openReplica().store];
    return { here, there, done: () => Promise.all([here.close(), there.close()]).then(() => undefined) };
  });

  test("an answer that is lost is told as unknown, whether the commit was kept or not", async () => {
    const database = farDatabase({ seed, kinds: inventedKinds });
    const [here, there] = [database.openReplica(), database.openReplica()];
    const key = inventedKey("thing/a");
    here.loseAnswer("not kept");
    expect(await refusal(here.store.commit(entryOf("thing/a"), [create(key, {})]))).toBe("store.outcome_unknown");
    expect(await there.store.get(key, { newest: true })).toBeUndefined();
    here.loseAnswer("kept");
    expect(await refusal(here.store.commit(entryOf("thing/a"), [create(key, {})]))).toBe("store.outcome_unknown");
    expect(await there.store.get(key, { newest: true })).toBeDefined();
  });

  test("a replica that is cut off reads what it knew, says so when asked for the newest, and hears all when it is mended", async () => {
    const database = farDatabase({ seed, kinds: inventedKinds });
    const [here, there] = [database.openReplica(), database.openReplica()];
    const key = inventedKey("thing/a");
    const heard: number[] = [];
    there.store.follow((told) => heard.push(...told.map(({ position }) => position)));
    there.cutOff();
    await here.store.commit(entryOf("thing/a"), [create(key, {})]);
    await here.store.head();
    expect(await there.store.get(key)).toBeUndefined();
    expect(await refusal(there.store.get(key, { newest: true }))).toBe("store.unavailable");
    expect(await refusal(there.store.commit(entryOf("x/y")))).toBe("store.unavailable");
    expect(there.store.health().writable).toBe(false);
    there.mend();
    expect(await there.store.get(key, { newest: true })).toBeDefined();
    await there.store.commit(entryOf("x/y"));
    await there.store.head();
    for (let turns = 0; turns < 100 && heard.length < 2; turns += 1) await new Promise((next) => setImmediate(next));
    expect(heard).toEqual([1, 2]);
  });
});
