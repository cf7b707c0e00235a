import { setImmediate as turn } from "node:timers/promises";
import { fault } from "@gatehouse/contract";
import type { AuditRecord, Store, Told } from "@gatehouse/store";
import { memoryStore } from "@gatehouse/store/far";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import { openLog } from "../../platform/log/index.ts";
import { followLog } from "./follow-log.ts";
import { deliveryLimits } from "./limits.ts";

/** A log with so many entries, followed from `start`; the store can be made to lose what it tells, or to refuse a read. */
async function follow(entries: number, start: number) {
  const store = memoryStore();
  const commit = (n: number) =>
    store.commit(inventedEntry({ at: n, actor: "system", action: "test.happened", subject: `test/${n}` }));
  for (let n = 1; n <= entries; n += 1) await commit(n);
  const state = { isDeaf: false, refuses: undefined as Error | undefined };
  const logLines: string[] = [];
  const taken: number[] = [];
  const heard: Pick<Store, "follow" | "searchAudit" | "head"> = {
    head: () => store.head(),
    follow: (listener: (told: readonly Told[]) => void) =>
      store.follow((told) => void (state.isDeaf || listener(told))),
    searchAudit: async (query) => {
      if (state.refuses !== undefined) throw state.refuses;
      return store.searchAudit(query);
    },
  };
  const open = (take: (entry: AuditRecord) => Promise<void> | void = ({ position }) => void taken.push(position)) =>
    followLog(
      {
        store: heard,
        take,
        log: openLog({ format: "text", write: (line) => logLines.push(line) }),
        rest: () => turn(),
      },
      start,
    );
  return { open, commit, state, taken, logLines, store };
}

const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

test("every entry after the start comes once and in order, those before now and those that follow", async () => {
  const { open, commit, taken } = await follow(1_200, 3);
  await using followed = disposable(open());
  for (let n = 1; n <= 5; n += 1) await commit(n);
  await expect.poll(() => taken).toEqual(upTo(1_205).slice(3));
  expect(followed.log.readTo()).toBe(1_205);
});

test("what was not told is read from the log when the next is told", async () => {
  const { open, commit, taken, state } = await follow(2, 0);
  await using _followed = disposable(open());
  await expect.poll(() => taken).toEqual([1, 2]);
  state.isDeaf = true;
  for (let n = 1; n <= 3; n += 1) await commit(n);
  state.isDeaf = false;
  await commit(6);
  await expect.poll(() => taken).toEqual(upTo(6));
});

test("while entries are taken only so many wait, and none is lost by it", async () => {
  const { open, commit, taken } = await follow(0, 0);
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  await using _followed = disposable(
    open(async ({ position }) => {
      if (position === 1) await gate;
      taken.push(position);
    }),
  );
  await Promise.all(upTo(deliveryLimits.heard + 100).map(commit));
  openGate();
  await expect.poll(() => taken.length, { timeout: 60_000 }).toBe(deliveryLimits.heard + 100);
  expect(taken).toEqual(upTo(deliveryLimits.heard + 100));
});

test("a part of the log that is damaged is left out, and what comes after it is told", async () => {
  const { open, commit, taken, state, logLines } = await follow(4, 0);
  state.refuses = fault("store.archive_damaged", "logs.db is not as it was written");
  await using _followed = disposable(open());
  await expect.poll(() => logLines.join("")).toContain("are not told");
  await commit(5);
  await expect.poll(() => taken).toEqual([5]);
});

test("a read that fails otherwise is made again with the next entry", async () => {
  const { open, commit, taken, state, logLines } = await follow(4, 0);
  state.refuses = new Error("the disk is slow today");
  await using _followed = disposable(open());
  await expect.poll(() => logLines.length).toBe(1);
  state.refuses = undefined;
  await commit(5);
  await expect.poll(() => taken).toEqual(upTo(5));
});

test("what was not taken before a stop does not count as read", async () => {
  const { open, taken } = await follow(1_000, 0);
  const arrived = Promise.withResolvers<void>();
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  const followed = open(async ({ position }) => {
    if (position === 10) {
      arrived.resolve();
      await gate;
    }
    taken.push(position);
  });
  await arrived.promise;
  const closed = followed.close();
  openGate();
  await closed;
  expect([taken, followed.readTo()]).toEqual([upTo(10), 10]);
});

function disposable(log: ReturnType<typeof followLog>) {
  return { log, [Symbol.asyncDispose]: () => log.close() };
}
