import { userKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { sampleUser } from "../../../../../tests/support/sample-records.ts";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import { farStore } from "../../../test/far-store.ts";
import { primeThrottle } from "./prime-throttle.ts";
import type { Account } from "./throttle.ts";

const now = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;

async function primed(write: (store: Store) => Promise<void>) {
  const store = farStore();
  await write(store);
  const told: [Account, number, number][] = [];
  await primeThrottle({ store, throttle: { prime: (...parts) => void told.push(parts) } }, now);
  return told.map(([account, failures, ago]) => [account.name, account.isKnown, failures, ago]);
}

const refused = (store: Store, subject: string, at: number, detail: Record<string, number>) =>
  store.commit(
    inventedEntry({ at, actor: "anonymous", action: "auth.sign_in_refused", subject, outcome: "refused", detail }),
  );

const user = (store: Store, id: string, username: string) =>
  store.commit(inventedEntry({ at: 1, actor: "system", action: "user.created", subject: `user/${id}` }), [
    create(userKind.key(id), sampleUser({ id, username })),
  ]);

const signedIn = (store: Store, userId: string, at: number) => {
  const detail = { userId, username: "admin", userAgent: "test", ended: [] };
  return store.commit({ at, actor: userId, action: "auth.signed_in", subject: `session/ses_${at}`, detail });
};

test("recent failures are learnt, for users and for names of nobody", async () => {
  const told = await primed(async (store) => {
    await user(store, "usr_1", "admin");
    await refused(store, "user/usr_1", now - 5 * minute, { count: 40, throttled: 30 });
    await refused(store, "username/root", now - minute, { count: 2, throttled: 0 });
  });
  expect(told).toEqual([
    ["root", false, 2, minute],
    ["admin", true, 10, 5 * minute],
  ]);
});

test("what is old, was throttled, names nobody or a removed user, or has no count is left out", async () => {
  const told = await primed(async (store) => {
    await user(store, "usr_1", "admin");
    await refused(store, "user/usr_1", now - 61 * minute, { count: 5, throttled: 0 });
    await refused(store, "user/usr_1", now - minute, { count: 5, throttled: 5 });
    await refused(store, "user/usr_1", now - minute, {});
    await refused(store, "user/usr_gone", now - minute, { count: 5, throttled: 0 });
    await refused(store, "username/unknown", now - minute, { count: 5, throttled: 0 });
  });
  expect(told).toEqual([]);
});

test("a good sign-in ends the row of failures before it", async () => {
  const told = await primed(async (store) => {
    await user(store, "usr_1", "admin");
    await refused(store, "user/usr_1", now - 10 * minute, { count: 5, throttled: 0 });
    await signedIn(store, "usr_1", now - 8 * minute);
    await signedIn(store, "usr_1", now - 7 * minute);
    await refused(store, "user/usr_1", now - 5 * minute, { count: 1, throttled: 0 });
  });
  expect(told).toEqual([["admin", true, 1, 5 * minute]]);
});

test("pages are followed, up to a bounded number of records", async () => {
  let reads = 0;
  const store: Pick<Store, "get" | "searchAudit"> = {
    get: () => Promise.resolve(undefined),
    searchAudit: ({ after = 1_000_000, limit, action = "" }) => {
      reads += 1;
      const items = Array.from({ length: limit }, (_, i) => ({
        position: after - i - 1,
        at: now,
        actor: "x",
        action,
        subject: "username/unknown",
      }));
      return Promise.resolve({ items, next: after - limit });
    },
  };
  await primeThrottle({ store, throttle: { prime: () => undefined } }, now);
  expect(reads).toBe(10);
});
