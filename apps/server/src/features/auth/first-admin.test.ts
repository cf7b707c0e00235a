import { manualClock } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";
import { ownersKind, userKind, usernameKind } from "@gatehouse/contract/records";
import { farDatabase } from "@gatehouse/store/far";
import { expect, test } from "vitest";
import { farStore } from "../../../test/far-store.ts";
import { ensureFirstAdmin } from "./first-admin.ts";

const password = "seven lazy otters";

async function start(admin: { username?: string; password?: string }, store = farStore()) {
  await ensureFirstAdmin({
    store,
    passwords: { hash: (text) => Promise.resolve(`hash of ${text.length}`) },
    clock: manualClock(),
    admin: { username: admin.username, password: admin.password },
  });
  return store;
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isFault(error) ? `${error.code}: ${error.detail}` : "nothing was refused";
}

test("without any user, an owner is created from the two variables, and it is audited", async () => {
  const store = await start({ username: "admin", password });
  const [user] = await store.list(userKind);
  expect(user?.value).toMatchObject({ username: "admin", role: "owner", disabled: false, passwordHash: "hash of 17" });
  expect((await store.get(usernameKind.key("admin")))?.value).toEqual({ userId: user?.value.id });
  expect((await store.get(ownersKind.key("main")))?.value).toEqual({ ids: [user?.value.id] });
  const { items } = await store.searchAudit({ limit: 10 });
  expect(items).toMatchObject([
    { actor: "system", action: "user.created", detail: { username: "admin", first: true } },
  ]);
  expect(JSON.stringify(items)).not.toContain(password);
});

test("without any user and without the variables the start is refused, and says which are missing", async () => {
  expect(await reasonOf(start({}))).toMatch(
    /^auth.first_admin_missing: .*SERVICE_ADMIN_USERNAME and SERVICE_ADMIN_PASSWORD/,
  );
  const oneMissing = await reasonOf(start({ username: "admin" }));
  expect(oneMissing).toMatch(/SERVICE_ADMIN_PASSWORD/);
  expect(oneMissing).not.toMatch(/SERVICE_ADMIN_USERNAME/);
  const other = await reasonOf(start({ password }));
  expect(other).toMatch(/SERVICE_ADMIN_USERNAME/);
  expect(other).not.toContain(password);
});

test("a name or a password that cannot be used stops the start and is not repeated", async () => {
  for (const username of ["ad min", "Admin", "a".repeat(64)]) {
    const reason = await reasonOf(start({ username, password }));
    expect(reason).toMatch(/^config.invalid: SERVICE_ADMIN_USERNAME: expected .* write for example .*=admin$/);
  }
  for (const weak of ["tooshort", "<a placeholder>", "password1234", "administrator"]) {
    const reason = await reasonOf(start({ username: "administrator", password: weak }));
    expect(reason).toMatch(/^config.invalid: SERVICE_ADMIN_PASSWORD/);
    expect(reason).not.toContain(weak);
  }
});

test("once any user exists the variables change nothing and are not even judged", async () => {
  const store = await start({ username: "admin", password });
  const before = JSON.stringify([await store.list(userKind), await store.list(usernameKind), await store.head()]);
  for (const admin of [
    {},
    { username: "root", password: "another long phrase" },
    { username: "Admin", password: "short" },
    { username: "ad\r\nmin", password: "<ADMIN_PASSWORD>" },
  ]) {
    await start(admin, store);
  }
  expect(JSON.stringify([await store.list(userKind), await store.list(usernameKind), await store.head()])).toBe(before);
});

test("of two servers that begin on one empty database at once, one makes the owner and both go on", async () => {
  const database = farDatabase({ seed: 1 });
  const stores = [database.openReplica().store, database.openReplica().store];
  await Promise.all(stores.map((store) => start({ username: "admin", password }, store)));
  for (const store of stores) expect(await store.list(userKind, { newest: true })).toHaveLength(1);
});
