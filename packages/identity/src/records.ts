import {
  type CredentialsRecord,
  credentialsKind,
  type OwnersRecord,
  ownersKind,
  type SessionRecord,
  sessionKind,
  tokenKind,
  type RecordKey,
  type UserRecord,
  userKind,
  usernameKind,
} from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import type { Reads } from "@gatehouse/store/decide";

export type SessionRef = CredentialsRecord["sessions"][number];
/** `deadAt` is when it expires or when it was revoked. */
export type TokenRef = CredentialsRecord["tokens"][number];

export const userKey = (id: string) => userKind.key(id);
export const usernameKey = (name: string) => usernameKind.key(name);
export const tokenKey = (id: string) => tokenKind.key(id);
const ownersKey = ownersKind.key("main");

/** The record of a session, which the list of its user's credentials names by its text. */
export function sessionKeyOfRef({ key }: Pick<SessionRef, "key">): RecordKey<SessionRecord> {
  return sessionKind.key(key.slice(`${sessionKind.name}/`.length));
}

export function findUser(store: Reads, id: string): Promise<StoredRecord<UserRecord> | undefined> {
  return store.get(userKey(id));
}

export async function readCredentials(store: Reads, userId: string): Promise<StoredRecord<CredentialsRecord>> {
  const key = credentialsKind.key(userId);
  return (await store.get(key)) ?? { key, version: 0, value: { sessions: [], tokens: [] } };
}

export async function readOwners(store: Reads): Promise<StoredRecord<OwnersRecord>> {
  return (await store.get(ownersKey)) ?? { key: ownersKey, version: 0, value: { ids: [] } };
}
