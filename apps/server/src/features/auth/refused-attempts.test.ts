import { manualClock } from "@gatehouse/base";
import type { Store } from "@gatehouse/store";
import { farDatabase } from "@gatehouse/store/far";
import { expect, test } from "vitest";
import { farStore } from "../../../test/far-store.ts";
import { authLimits } from "./limits.ts";
import { openRefusedAttempts, type RefusedAttempt } from "./refused-attempts.ts";

const at = Date.UTC(2026, 0, 1);
const attempt = (more: Partial<RefusedAttempt> = {}): RefusedAttempt => ({
  action: "auth.sign_in_refused",
  address: "192.0.2.1",
  at,
  isThrottled: false,
  ...more,
});

function rig(store: Pick<Store, "commit"> & Partial<Store> = farStore()) {
  const errors: string[] = [];
  const clock = manualClock();
  const refused = openRefusedAttempts({ store, clock, log: { error: (message) => void errors.push(message) } });
  return { refused, errors, clock };
}

async function records(store: Store) {
  return (await store.searchAudit({ order: "oldest", limit: 1_000 })).items;
}

const counted = (found: Awaited<ReturnType<typeof records>>) =>
  found.reduce((sum, { detail }) => sum + Number(detail?.["count"]), 0);

test("a minute of attempts from one address on one account is one record with a count", async () => {
  const store = farStore();
  const { refused } = rig(store);
  for (let i = 0; i < 40; i += 1)
    refused.count(attempt({ userId: "usr_1", name: "admin", at: at + i, isThrottled: i >= 3 }));
  refused.count(attempt({ name: "root" }));
  refused.count(attempt({ userId: "usr_1", address: "192.0.2.2" }));
  refused.count(attempt({ userId: "usr_1", action: "auth.proof_refused" }));
  await refused.flush();
  await refused.flush();
  const found = await records(store);
  expect(found).toHaveLength(4);
  expect(found[0]).toMatchObject({
    actor: "anonymous",
    action: "auth.sign_in_refused",
    subject: "user/usr_1",
    outcome: "refused",
    address: "192.0.2.1",
    at: at + 39,
    detail: { count: 40, throttled: 37, firstAt: at },
  });
  expect(found[2]).toMatchObject({ actor: "usr_1", action: "auth.proof_refused" });
  // Accounts that exist come first.
  expect(found[3]).toMatchObject({ subject: "username/root", detail: { count: 1 } });
});

test("a name that is no user name is not written down: it may be a password", async () => {
  const store = farStore();
  const { refused } = rig(store);
  refused.count(attempt());
  await refused.flush();
  expect((await records(store))[0]?.subject).toBe("username/unknown");
});

test("a flood makes a bounded number of records and loses no count", async () => {
  const store = farStore();
  const { refused } = rig(store);
  for (let i = 0; i < 5_000; i += 1) refused.count(attempt({ address: `192.0.2.${i}`, name: `name${i}` }));
  for (let i = 0; i < 100; i += 1)
    refused.count(attempt({ address: `198.51.100.${i}`, userId: "usr_1", name: "admin" }));
  await refused.flush();
  const found = await records(store);
  // Those that name an address, and one sum; of the account the sum is enough to be told.
  expect(found).toHaveLength(authLimits.refusedRecords.burst + 1);
  expect(counted(found)).toBe(5_100);
  expect(found.find(({ subject }) => subject === "user/usr_1")).toMatchObject({ detail: { count: 100 } });
});

test("a flood that lasts hours costs a few records an hour, each account is still told, and no count is lost", async () => {
  const store = farStore();
  const { refused, clock } = rig(store);
  const { burst, perHour } = authLimits.refusedRecords;
  const hours = 3;
  for (let minute = 0; minute < hours * 60; minute += 1) {
    for (let i = 0; i < 70; i += 1) {
      const name = `name${minute}x${i}`;
      refused.count(attempt({ address: `2001:db8:${minute}::${i}`, name, at: clock.now() }));
    }
    refused.count(attempt({ address: `192.0.2.${minute}`, userId: `usr_${minute % 40}`, at: clock.now() }));
    await refused.flush();
    clock.advance(60_000);
  }
  await refused.finish();
  const found = await records(store);
  expect(found.length).toBeLessThanOrEqual(burst + perHour * hours + (hours + 1) * (authLimits.refusedSums + 2));
  expect(counted(found)).toBe(71 * 60 * hours);
  const sums = found.filter(({ address }) => address === undefined);
  expect(sums.map(({ subject }) => subject)).toContain("username/unknown");
  expect(sums.some(({ subject }) => subject.startsWith("user/usr_"))).toBe(true);
});

test("after a quiet time single attempts have records of their own again", async () => {
  const store = farStore();
  const { refused, clock } = rig(store);
  for (let i = 0; i < 300; i += 1) refused.count(attempt({ address: `192.0.2.${i}` }));
  await refused.flush();
  clock.advance(60 * 60_000);
  refused.count(attempt({ address: "198.51.100.7", name: "ada" }));
  await refused.flush();
  expect((await records(store)).at(-1)).toMatchObject({ subject: "username/ada", address: "198.51.100.7" });
});

test("what could not be written is counted on and written later", async () => {
  const store = farStore();
  let isFull = true;
  const commit: Store["commit"] = (...parts) =>
    isFull && parts[0].subject === "username/b" ? Promise.reject(new Error("disk full")) : store.commit(...parts);
  const { refused, errors } = rig({ commit });
  refused.count(attempt({ name: "a" }));
  refused.count(attempt({ name: "b" }));
  refused.count(attempt({ name: "c" }));
  await refused.flush();
  expect(errors).toHaveLength(1);
  expect(await records(store)).toHaveLength(1);
  isFull = false;
  refused.count(attempt({ name: "b", at: at + 5 }));
  await refused.flush();
  expect((await records(store)).map(({ subject, detail }) => [subject, detail?.["count"]])).toEqual([
    ["username/a", 1],
    ["username/b", 2],
    ["username/c", 1],
  ]);
});

test("what may have been written is not written twice, and what comes behind it is not lost", async () => {
  const replica = farDatabase({ seed: 1 }).openReplica();
  const { store } = replica;
  const { refused, errors } = rig(store);
  for (const name of ["a", "b", "c"]) refused.count(attempt({ name }));
  replica.loseAnswer("kept");
  await refused.flush();
  expect(errors).toHaveLength(1);
  await refused.flush();
  const subjects = (await records(store)).map(({ subject }) => subject);
  expect(subjects).toEqual(["username/a", "username/b", "username/c"]);
});
