import { manualClock } from "@gatehouse/base";
import { tokenKind, userKind } from "@gatehouse/contract/records";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { memoryStore } from "@gatehouse/store";
import { create, remove } from "@gatehouse/store/change";
import { sampleToken, sampleUser } from "../../../../../tests/support/sample-records.ts";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import type { Principal } from "../../platform/route/index.ts";
import { openUses } from "./uses.ts";
import { openWatch } from "./watch.ts";

const principal: Principal = {
  id: "usr_1",
  credential: { kind: "token", id: "tok1" },
  scopes: new Set(["plan:read"]),
  authenticatedAt: 0,
};

function rig(store = memoryStore()) {
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
  return { watch, errors, waits, clock, store };
}

async function plant(store: ReturnType<typeof memoryStore>, expiresAt: number): Promise<void> {
  await store.commit(inventedEntry({ at: 1, actor: "system", action: "test.planted", subject: "x" }), [
    create(userKind.key("usr_1"), sampleUser()),
    create(tokenKind.key("tok1"), sampleToken({ expiresAt })),
  ]);
}

const settled = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve);
  });

test("a credential that went before the watch began ends it at once", async () => {
  const { watch } = rig();
  await new Promise<void>((resolve) => watch.watchPrincipal(principal, resolve));
});

test("what cannot be looked up is not good: the stream ends and the log says so", async () => {
  const { watch, errors, store } = rig();
  await store.close();
  await new Promise<void>((resolve) => watch.watchPrincipal(principal, resolve));
  expect(errors).toHaveLength(1);
});

test("a far expiry is looked at again within what a timer can hold", async () => {
  const { watch, waits, clock, store } = rig();
  await plant(store, clock.now() + 90 * 24 * 60 * 60_000);
  watch.watchPrincipal(principal, () => expect.unreachable());
  await settled();
  expect(waits).toEqual([24 * 60 * 60_000]);
});

test("nobody is told after they stopped watching, or after the end", async () => {
  const { watch, clock, store } = rig();
  await plant(store, clock.now() + 1_000);
  const stop = watch.watchPrincipal(principal, () => expect.unreachable());
  stop();
  stop();
  watch.watchPrincipal(principal, () => expect.unreachable());
  await settled();
  watch.close();
  await store.commit(inventedEntry({ at: 1, actor: "system", action: "user.removed", subject: "user/usr_1" }), [
    remove({ key: userKind.key("usr_1"), version: 1 }),
  ]);
  await settled();
});

test("commits that concern others are not looked at", async () => {
  const { watch, waits, clock, store } = rig();
  await plant(store, clock.now() + 1_000);
  watch.watchPrincipal(principal, () => expect.unreachable());
  await settled();
  await store.commit(inventedEntry({ at: 1, actor: "usr_2", action: "plan.created", subject: "plan/1" }));
  await store.commit(
    inventedEntry({
      at: 1,
      actor: "usr_2",
      action: "token.revoked",
      subject: "token/t",
      detail: { userId: "usr_2", ended: [1] },
    }),
  );
  await settled();
  expect(waits).toHaveLength(1);
  await store.commit({
    at: 1,
    actor: "usr_1",
    action: "auth.signed_out",
    subject: "session/s",
    detail: { userId: "usr_1", ended: ["s"] },
  });
  await settled();
  expect(waits).toHaveLength(2);
});
