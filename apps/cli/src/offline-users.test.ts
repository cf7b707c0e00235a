import { openPasswords, readCredentials, readOwners, type UserRecord, userKey, usernameKey } from "@gatehouse/identity";
import { credentialsKind, ownersKind, sessionKind } from "@gatehouse/contract/records";
import { openingEntries, type Store } from "@gatehouse/store";
import { farDatabase } from "@gatehouse/store/far";
import { create } from "@gatehouse/store/decide";
import { expect, test } from "vitest";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { openOfflineUsers } from "./offline-users.ts";

const phrase = "wooden bridges in autumn";
const now = () => 5_000;
const ada: UserRecord = {
  id: "usr_ada",
  username: "ada",
  role: "owner",
  passwordHash: "old",
  disabled: true,
  createdAt: 1,
  updatedAt: 1,
  passwordChangedAt: 1,
};
const bob: UserRecord = { ...ada, id: "usr_bob", username: "usr_ada", role: "viewer", disabled: false };

/** Sessions are kept under a digest. */
const sessionKey = (id: string) => sessionKind.key(id.padEnd(64, "0").replaceAll("s", "a"));
const times = { createdAt: 1, authenticatedAt: 1, expiresAt: 9_000 };

/** Two users; ada is a disabled owner with two sessions (the record of one is gone) and a token. */
async function filled(): Promise<Store> {
  const { store } = farDatabase({ seed: 1 }).openReplica();
  const session = (id: string) => ({ id, key: sessionKey(id).text, expiresAt: 9_000 });
  const credentials = { sessions: [session("s1"), session("s2")], tokens: [{ id: "t1", deadAt: 9_000 }] };
  await store.commit(inventedEntry({ at: 1, actor: "system", action: "user.created", subject: "user/all" }), [
    ...[ada, bob].map((user) => create(userKey(user.id), user)),
    ...[ada, bob].map((user) => create(usernameKey(user.username), { userId: user.id })),
    create(credentialsKind.key(ada.id), credentials),
    create(sessionKey("s1"), { ...times, id: "s1", userId: ada.id, address: "192.0.2.1", userAgent: "" }),
    create(ownersKind.key("main"), { ids: ["usr_eve"] }),
  ]);
  return store;
}

const newest = async (store: Store) => (await store.searchAudit({ limit: 1 })).items[0];

test("one commit sets the password, ends the sessions and says who did it", async () => {
  const store = await filled();
  const users = await openOfflineUsers({ store, opening: () => [], now });
  expect(await users.resetPassword(ada.id, phrase, { enable: false })).toEqual({ ended: ["s1", "s2"], disabled: true });
  const after = (await store.get(userKey(ada.id)))?.value;
  expect(after).toMatchObject({ disabled: true, passwordChangedAt: 5_000, updatedAt: 5_000, createdAt: 1 });
  expect(await (await openPasswords()).verify(after?.passwordHash ?? "", phrase)).toBe(true);
  expect((await readCredentials(store, ada.id)).value).toEqual({ sessions: [], tokens: [{ id: "t1", deadAt: 9_000 }] });
  expect(await store.get(sessionKey("s1"))).toBeUndefined();
  expect((await readOwners(store)).value.ids).toEqual(["usr_eve"]);
  expect(await newest(store)).toMatchObject({
    position: 2,
    at: 5_000,
    actor: "cli",
    action: "user.password_reset",
    subject: "user/usr_ada",
    detail: { userId: "usr_ada", username: "ada", ended: ["s1", "s2"], enabled: false },
  });
});

test("an owner who is enabled counts as one again", async () => {
  const store = await filled();
  const users = await openOfflineUsers({ store, opening: () => [], now });
  expect(await users.resetPassword(ada.id, phrase, { enable: true })).toMatchObject({ disabled: false });
  expect((await readOwners(store)).value.ids).toEqual(["usr_eve", "usr_ada"]);
  expect(await users.resetPassword(ada.id, phrase, { enable: true })).toMatchObject({ disabled: false, ended: [] });
  expect((await readOwners(store)).value.ids).toEqual(["usr_eve", "usr_ada"]);
});

test("a user is found by id or name, and an id wins over a name that looks like it", async () => {
  const users = await openOfflineUsers({ store: await filled(), opening: () => [], now });
  expect((await users.get("ADA")).id).toBe("usr_ada");
  expect((await users.get("usr_bob")).id).toBe("usr_bob");
  expect((await users.get("usr_ada")).id).toBe("usr_ada");
  for (const nobody of ["eve", "", "../state", "user/usr_ada"]) {
    await expect(users.get(nobody)).rejects.toMatchObject({ code: "user.unknown" });
  }
});

test("a weak password changes nothing", async () => {
  const store = await filled();
  const users = await openOfflineUsers({ store, opening: () => [], now });
  const refused = users.resetPassword(ada.id, "short", { enable: true });
  await expect(refused).rejects.toMatchObject({ code: "auth.password_unacceptable" });
  expect((await store.head()).position).toBe(1);
});

test("what opening the store changed in its files is recorded, as the server would", async () => {
  const store = await filled();
  const cut = { bytes: 40, sha256: "ab".repeat(32) };
  const rebuilt = { file: "logs.db", position: 3, expected: "x", found: "y", kept: "logs.db.before-rebuild" };
  await openOfflineUsers({ store, opening: (by) => openingEntries({ cut: undefined, rebuilt }, by), now });
  expect(await newest(store)).toMatchObject({ actor: "cli", action: "audit.archive_rebuilt", detail: rebuilt });
  await openOfflineUsers({ store, opening: (by) => openingEntries({ cut, rebuilt: undefined }, by), now });
  expect(await newest(store)).toMatchObject({ actor: "cli", action: "store.end_cut", detail: { bytes: 40 } });
});
