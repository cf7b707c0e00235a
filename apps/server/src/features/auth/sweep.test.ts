import { manualClock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { credentialsKind, sessionKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { sampleSession } from "../../../../../tests/support/sample-records.ts";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import { farStore } from "../../../test/far-store.ts";
import { authLimits } from "./limits.ts";
import { openSweep } from "./sweep.ts";

const clock = manualClock();
const uses = { idleMs: () => Promise.resolve(0) };

/** Users with one expired session each. */
async function withUsers(count: number): Promise<Store> {
  const store = farStore();
  const entry = inventedEntry({ at: 1, actor: "system", action: "test.planted", subject: "user" });
  for (let i = 0; i < count; i += 1) {
    const id = String(i).padStart(6, "0");
    const key = sessionKind.key(id.padStart(64, "0"));
    const ref = { id: `ses_${id}`, key: key.text, expiresAt: clock.now() };
    await store.commit(entry, [
      create(credentialsKind.key(`usr_${id}`), { sessions: [ref], tokens: [] }),
      create(key, sampleSession({ id: ref.id })),
    ]);
  }
  return store;
}

test("a sweep makes a bounded number of commits, and the next one goes on", async () => {
  const count = 2 * authLimits.sweptCommits + 10;
  const store = await withUsers(count);
  const sweep = openSweep({ store, clock, uses });
  const left: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    await sweep();
    left.push((await store.list(sessionKind)).length);
  }
  expect(left).toEqual([count - 50, count - 100, 0, 0]);
});

test("the list is walked in pages and then again from its beginning", async () => {
  const store = await withUsers(3);
  const pages: (string | undefined)[] = [];
  const list: Store["list"] = (kind, page) => {
    if (kind.name !== "credentials") return Promise.resolve([]);
    pages.push(page?.after?.text);
    return store.list(kind, { ...page, limit: 2 });
  };
  const sweep = openSweep({ store: { ...store, list }, clock, uses });
  for (let i = 0; i < 2; i += 1) await sweep();
  // A page that is shorter than asked for is the last one.
  expect(pages).toEqual([undefined, undefined]);
});

test("what somebody uses at this moment is left for the next time; other failures are told", async () => {
  const store = await withUsers(2);
  let refusal = fault("store.conflict", "changed meanwhile");
  const sweep = openSweep({ store: { ...store, commit: () => Promise.reject(refusal) }, clock, uses });
  await sweep();
  expect(await store.list(sessionKind)).toHaveLength(2);
  refusal = fault("store.disk_full", "full");
  await expect(sweep()).rejects.toThrow(/full/);
});

test("a token whose record is missing leaves its user's list all the same", async () => {
  const store = farStore();
  const entry = inventedEntry({ at: 1, actor: "system", action: "test.planted", subject: "user" });
  const tokens = [{ id: "gone", deadAt: clock.now() - authLimits.keepDeadTokensMs }];
  await store.commit(entry, [create(credentialsKind.key("usr_1"), { sessions: [], tokens })]);
  await openSweep({ store, clock, uses })();
  expect((await store.get(credentialsKind.key("usr_1")))?.value).toEqual({ sessions: [], tokens: [] });
});
