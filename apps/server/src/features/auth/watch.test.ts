import { setImmediate as turn } from "node:timers/promises";
import { manualClock } from "@gatehouse/base";
import { tokenKind, userKind } from "@gatehouse/contract/records";
import type { Committed, Store } from "@gatehouse/store";
import { create, put, remove } from "@gatehouse/store/decide";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { sampleToken, sampleUser } from "../../../../../tests/support/sample-records.ts";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import { farStore } from "../../../test/far-store.ts";
import { openHearing } from "../../../test/open-hearing.ts";
import type { Principal } from "../../platform/route/index.ts";
import { openUses } from "./uses.ts";
import { openWatch } from "./watch.ts";

const principal: Principal = {
  id: "usr_1",
  credential: { kind: "token", id: "tok1" },
  scopes: new Set(["plan:read"]),
  authenticatedAt: 0,
};

async function rig() {
  const store = farStore();
  const clock = manualClock();
  const errors: string[] = [];
  const waits: number[] = [];
  const watch = openWatch({
    store,
    uses: openUses({ clock, telemetry: memoryTelemetry() }),
    clock,
    log: { error: (message) => void errors.push(message) },
    after: (ms) => {
      waits.push(ms);
      return () => undefined;
    },
  });
  const hearing = await openHearing(store);
  /** The watch has been told of everything, and has looked at what it wanted to look at. */
  const settled = async () => {
    await hearing.reach(await store.head());
    await turn();
  };
  return { watch, errors, waits, clock, store, settled };
}

function plant(store: Store, expiresAt: number): Promise<Committed> {
  return store.commit(inventedEntry({ at: 1, actor: "system", action: "test.planted", subject: "x" }), [
    create(userKind.key("usr_1"), sampleUser()),
    create(tokenKind.key("tok1"), sampleToken({ expiresAt })),
  ]);
}

test("a credential that went before the watch began ends it at once", async () => {
  const { watch } = await rig();
  await new Promise<void>((resolve) => watch.watchPrincipal(principal, resolve));
});

test("what cannot be looked up is not good: the stream ends and the log says so", async () => {
  const { watch, errors, store } = await rig();
  await store.close();
  await new Promise<void>((resolve) => watch.watchPrincipal(principal, resolve));
  expect(errors).toHaveLength(1);
});

test("a far expiry is looked at again within what a timer can hold", async () => {
  const { watch, waits, clock, store, settled } = await rig();
  await plant(store, clock.now() + 90 * 24 * 60 * 60_000);
  await settled();
  watch.watchPrincipal(principal, () => expect.unreachable());
  await settled();
  expect(waits).toEqual([24 * 60 * 60_000]);
});

test("nobody is told after they stopped watching, or after the end", async () => {
  const { watch, clock, store, settled } = await rig();
  const { version } = await plant(store, clock.now() + 1_000);
  const stop = watch.watchPrincipal(principal, () => expect.unreachable());
  stop();
  stop();
  watch.watchPrincipal(principal, () => expect.unreachable());
  await settled();
  watch.close();
  await store.commit(inventedEntry({ at: 1, actor: "system", action: "user.removed", subject: "user/usr_1" }), [
    remove({ key: userKind.key("usr_1"), version }),
  ]);
  await settled();
});

test("commits that change nothing of a user are not looked at, whatever their entries say", async () => {
  const { watch, waits, clock, store, settled } = await rig();
  const { version } = await plant(store, clock.now() + 1_000);
  await settled();
  watch.watchPrincipal(principal, () => expect.unreachable());
  await settled();
  await store.commit({
    at: 1,
    actor: "usr_1",
    action: "auth.signed_out",
    subject: "user/usr_1",
    detail: { userId: "usr_1", ended: ["tok1"] },
  });
  const detail = { userId: "usr_2", ended: [1] };
  await store.commit(inventedEntry({ at: 1, actor: "usr_2", action: "token.revoked", subject: "token/tok2", detail }), [
    create(userKind.key("usr_2"), sampleUser({ id: "usr_2", username: "bob" })),
    create(tokenKind.key("tok2"), sampleToken({ id: "tok2", userId: "usr_2" })),
  ]);
  await settled();
  expect(waits).toHaveLength(1);
  await store.commit(inventedEntry({ at: 1, actor: "usr_2", action: "test.touched", subject: "nothing" }), [
    put({ key: userKind.key("usr_1"), version }, sampleUser({ updatedAt: 2 })),
  ]);
  await settled();
  expect(waits).toHaveLength(2);
});
