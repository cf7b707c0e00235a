import { type AuditEntry, fault, parseUsername } from "@gatehouse/contract";
import {
  checkNewPassword,
  findUser,
  openPasswords,
  readCredentials,
  readOwners,
  sessionKeyOfRef,
  usernameKey,
} from "@gatehouse/identity";
import type { UserRecord } from "@gatehouse/contract/records";
import type { Change, Store, StoredRecord } from "@gatehouse/store";
import { put, remove } from "@gatehouse/store/decide";

export interface OfflineUsersDeps {
  readonly store: Pick<Store, "get" | "commit">;
  /** What opening the store changed in its files. */
  readonly opening: (by: { readonly actor: string; readonly at: number }) => readonly AuditEntry[];
  readonly now: () => number;
}

export interface OfflineUsers {
  /** By name or id. */
  get(nameOrId: string): Promise<UserRecord>;
  resetPassword(
    id: string,
    password: string,
    how: { readonly enable: boolean },
  ): Promise<{ readonly ended: readonly string[]; readonly disabled: boolean }>;
}

/** Users in the files of a stopped server: whoever can write these is not asked for a password. */
export async function openOfflineUsers({ store, opening, now }: OfflineUsersDeps): Promise<OfflineUsers> {
  for (const entry of opening({ ...by, at: now() })) await store.commit(entry);
  return {
    get: async (nameOrId) => (await getUser(store, nameOrId)).value,
    resetPassword: async (id, password, { enable }) => {
      const user = await getUser(store, id);
      checkNewPassword(password, user.value.username);
      const passwordHash = await (await openPasswords()).hash(password);
      const at = now();
      const disabled = user.value.disabled && !enable;
      const after = { ...user.value, passwordHash, disabled, passwordChangedAt: at, updatedAt: at };
      const sessions = await endSessions(store, id);
      const isEnabled = user.value.disabled && enable;
      const detail = { userId: id, username: user.value.username, ended: sessions.ended, enabled: isEnabled };
      await store.commit({ ...by, at, action: "user.password_reset", subject: user.key.text, detail }, [
        put(user, after),
        ...sessions.changes,
        ...(isEnabled && user.value.role === "owner" ? await addOwner(store, id) : []),
      ]);
      return { ended: sessions.ended, disabled };
    },
  };
}

const by = { actor: "cli", outcome: "done" } as const;

async function getUser(store: OfflineUsersDeps["store"], nameOrId: string): Promise<StoredRecord<UserRecord>> {
  const name = parseUsername(nameOrId);
  const named = name === undefined ? undefined : await store.get(usernameKey(name));
  // An id comes first: a name may be chosen to look like somebody's id.
  const user = (await findUser(store, nameOrId)) ?? (await findUser(store, named?.value.userId ?? nameOrId));
  if (user === undefined) throw fault("user.unknown", `no user has the name or id ${JSON.stringify(nameOrId)}`);
  return user;
}

/** Together with the record that lists them, which every change of a user's credentials writes. */
async function endSessions(store: OfflineUsersDeps["store"], userId: string) {
  const book = await readCredentials(store, userId);
  const records = await Promise.all(book.value.sessions.map((ref) => store.get(sessionKeyOfRef(ref))));
  const removals = records.flatMap((record) => (record === undefined ? [] : [remove(record)]));
  const emptied = put(book, { ...book.value, sessions: [] });
  return { ended: book.value.sessions.map(({ id }) => id), changes: [emptied, ...removals] };
}

/** The set of enabled owners is one record; an enabled owner who is not in it would not count as one. */
async function addOwner(store: OfflineUsersDeps["store"], id: string): Promise<readonly Change[]> {
  const owners = await readOwners(store);
  if (owners.value.ids.includes(id)) return [];
  return [put(owners, { ids: [...owners.value.ids, id] })];
}
