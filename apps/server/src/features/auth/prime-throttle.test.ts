import { userKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { sampleUser } from "../../../../../tests/support/sample-records.ts";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import { farStore } from "../../../test/far-store.ts";
import { authLimits } from "./limits.ts";
import { openPlaces } from "./places.ts";
import { primeThrottle } from "./prime-throttle.ts";
import type { SignInVisit } from "./throttle.ts";

const now = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;

async function primed(write: (store: Store) => Promise<void>) {
  const store = farStore();
  await write(store);
  const told: [SignInVisit, number, number][] = [];
  const places = openPlaces();
  await primeThrottle({ store, places, throttle: { prime: (...parts) => void told.push(parts) } }, now);
  return {
    told: told.map(([{ account, block, place }, failures, ago]) => [account, place ?? block, failures, ago]),
    places,
  };
}

const refused = (store: Store, subject: string, at: number, detail: Record<string, number>, address?: string) => {
  const how = { actor: "anonymous", action: "auth.sign_in_refused", outcome: "refused" } as const;
  return store.commit(inventedEntry({ ...how, at, subject, detail, ...(address !== undefined && { address }) }));
};

const passwordChangedAt = now - 10 * 60 * minute;
const user = (store: Store, id: string, username: string) =>
  store.commit(inventedEntry({ at: 1, actor: "system", action: "user.created", subject: `user/${id}` }), [
    create(userKind.key(id), sampleUser({ id, username, passwordChangedAt })),
  ]);

const signedIn = (store: Store, userId: string, at: number, address: string) => {
  const detail = { userId, username: "admin", userAgent: "test", ended: [] };
  return store.commit({ at, actor: userId, action: "auth.signed_in", subject: `session/ses_${at}`, address, detail });
};

const [here, there] = ["192.0.2.1", "198.51.100.1"];

test("recent failures are learnt per block, for users and for names of nobody, the oldest first", async () => {
  const { told } = await primed(async (store) => {
    await user(store, "usr_1", "admin");
    await refused(store, "user/usr_1", now - 5 * minute, { count: 40, throttled: 30 }, here);
    await refused(store, "user/usr_1", now - 4 * minute, { count: 7, throttled: 0 });
    await refused(store, "username/root", now - minute, { count: 2, throttled: 0 }, there);
  });
  expect(told).toEqual([
    ["admin", "192.0.2.0/24", 10, 5 * minute],
    ["admin", undefined, 7, 4 * minute],
    ["root", "198.51.100.0/24", 2, minute],
  ]);
});

test("what is old, was throttled, names nobody or a removed user, or has no count is left out", async () => {
  const { told } = await primed(async (store) => {
    await user(store, "usr_1", "admin");
    await refused(store, "user/usr_1", now - authLimits.rememberFailuresMs - minute, { count: 5, throttled: 0 });
    await refused(store, "user/usr_1", now - minute, { count: 5, throttled: 5 });
    await refused(store, "user/usr_1", now - minute, {});
    await refused(store, "user/usr_gone", now - minute, { count: 5, throttled: 0 });
    await refused(store, "username/unknown", now - minute, { count: 5, throttled: 0 });
  });
  expect(told).toEqual([]);
});

test("a new password, also one that the command line has set, ends what was counted and known before it", async () => {
  const { told, places } = await primed(async (store) => {
    await user(store, "usr_1", "admin");
    await signedIn(store, "usr_1", passwordChangedAt - minute, here);
    await refused(store, "user/usr_1", passwordChangedAt - minute, { count: 50, throttled: 0 }, there);
    await refused(store, "user/usr_1", passwordChangedAt + minute, { count: 1, throttled: 0 }, there);
  });
  expect(told).toEqual([["admin", "198.51.100.0/24", 1, now - passwordChangedAt - minute]]);
  expect(places.laneOf({ id: "usr_1", passwordChangedAt }, here)).toBeUndefined();
});

test("places of good sign-ins are known, and end the row of failures before them there, and nowhere else", async () => {
  const { told, places } = await primed(async (store) => {
    await user(store, "usr_1", "admin");
    await refused(store, "user/usr_1", now - 10 * minute, { count: 5, throttled: 0 }, here);
    await refused(store, "user/usr_1", now - 9 * minute, { count: 6, throttled: 0 }, there);
    await signedIn(store, "usr_1", now - 8 * minute, here);
    await signedIn(store, "usr_1", now - 7 * minute, here);
    await signedIn(store, "usr_gone", now - 7 * minute, here);
    await refused(store, "user/usr_1", now - 5 * minute, { count: 1, throttled: 0 }, here);
  });
  expect(told).toEqual([
    ["admin", "198.51.100.0/24", 6, 9 * minute],
    ["admin", `address/usr_1/${here}`, 1, 5 * minute],
  ]);
  expect(places.laneOf({ id: "usr_1", passwordChangedAt }, "192.0.2.9")).toBe("block/usr_1/192.0.2.0/24");
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
  await primeThrottle({ store, places: openPlaces(), throttle: { prime: () => undefined } }, now);
  expect(reads).toBe(10);
});
