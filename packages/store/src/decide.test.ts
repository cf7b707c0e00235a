import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { inventedKey, inventedKinds } from "../../../tests/support/invented-kinds.ts";
import { create, decideLimits, openDecide, put } from "./decide.ts";
import { farDatabase, memoryStore } from "./far-store.ts";
import { entryOf, refusal } from "./store-cases.ts";

const counter = inventedKey("counter/main");
const guard = inventedKey("guard/main");

/** Adds one to the counter. */
const add = (decide: ReturnType<typeof openDecide>, name = "counter") =>
  decide([name], async (read) => {
    const found = await read.get(counter);
    const n = Number(found?.value["n"] ?? 0) + 1;
    const changes = [found === undefined ? create(counter, { n }) : put(found, { n })];
    return { entry: entryOf("counter/main"), changes, result: () => n };
  });

test("decisions about one thing are made one after the other, and none is lost", async () => {
  const decide = openDecide(memoryStore(inventedKinds));
  const made = await Promise.all(Array.from({ length: 30 }, () => add(decide)));
  expect(made).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
});

test.each([1, 2, 3, 4, 5])("decisions of two replicas are made again when they lose a race (seed %i)", async (seed) => {
  const database = farDatabase({ seed, kinds: inventedKinds });
  const doors = [database.openReplica().store, database.openReplica().store];
  const decides = doors.map(openDecide);
  const made: number[] = [];
  await Promise.all(
    decides.map(async (decide) => {
      for (let n = 0; n < 10; n += 1) made.push(await add(decide));
    }),
  );
  expect(made.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  for (const door of doors) expect((await door.get(counter, { newest: true }))?.value).toEqual({ n: 20 });
});

test("everything that was read must still be so, also what was absent", async () => {
  const store = memoryStore(inventedKinds);
  const decide = openDecide(store);
  let tries = 0;
  const decided = await decide(["a"], async (read) => {
    tries += 1;
    const seen = await read.get(guard);
    if (tries === 1) await store.commit(entryOf("guard/main"), [create(guard, {})]);
    return {
      entry: entryOf("thing/a"),
      changes: [create(inventedKey("thing/a"), {})],
      result: () => seen !== undefined,
    };
  });
  expect([decided, tries]).toEqual([true, 2]);
});

test("a record that changes between two reads of one decision is a lost race", async () => {
  const store = memoryStore(inventedKinds);
  let tries = 0;
  await openDecide(store)(["a"], async (read) => {
    tries += 1;
    await read.get(guard);
    if (tries === 1) await store.commit(entryOf("guard/main"), [create(guard, {})]);
    await read.get(guard);
    return { entry: entryOf("x/y"), result: () => undefined };
  });
  expect(tries).toBe(2);
});

test("a record that is read again as the newest is expected as it then was", async () => {
  const database = farDatabase({ seed: 1, kinds: inventedKinds });
  const [here, there] = [database.openReplica(), database.openReplica()];
  await there.store.commit(entryOf("guard/main"), [create(guard, {})]);
  there.cutOff();
  let tries = 0;
  await openDecide(here.store)(["a"], async (read) => {
    tries += 1;
    await read.get(guard);
    expect(await read.get(guard, { newest: true })).toBeDefined();
    return { entry: entryOf("x/y"), result: () => undefined };
  });
  expect(tries).toBe(1);
});

test("a decision that writes nothing commits nothing", async () => {
  const store = memoryStore(inventedKinds);
  expect(await openDecide(store)(["a"], async () => ({ result: () => "as it is" }))).toBe("as it is");
  expect((await store.head()).position).toBe(0);
});

test("a race that is always lost is given up as a conflict; what is refused or unknown is never repeated", async () => {
  let commits = 0;
  const failing = (code: "store.conflict" | "store.outcome_unknown" | "store.unavailable") => {
    commits = 0;
    const store = {
      ...memoryStore(inventedKinds),
      commit: () => {
        commits += 1;
        return Promise.reject(fault(code, "always"));
      },
    };
    return openDecide(store)(["a"], async () => ({ entry: entryOf("x/y"), result: () => undefined }));
  };
  expect(await refusal(failing("store.conflict"))).toBe("store.conflict");
  expect(commits).toBe(decideLimits.attempts);
  for (const code of ["store.outcome_unknown", "store.unavailable"] as const) {
    expect(await refusal(failing(code))).toBe(code);
    expect(commits).toBe(1);
  }
  const refused = openDecide(memoryStore(inventedKinds))(["a"], () => Promise.reject(fault("store.conflict", "mine")));
  expect(await refusal(refused)).toBe("store.conflict");
});
