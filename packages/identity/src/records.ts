import type { Role, Scope, TokenClass } from "@gatehouse/contract";
import type { RecordKey, Store, StoredRecord } from "@gatehouse/store";

/** Times in records are milliseconds since 1970. Types, not interfaces: only these are JSON objects to the compiler. */
export type UserRecord = {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly disabled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly passwordChangedAt: number;
};

/** Who has a name. Its key makes names unique: two commits cannot both find it absent. */
export type UsernameRecord = { readonly userId: string };

/** Kept under the digest of the cookie's value. It is written once and removed, never changed: its version is always 1. */
export type SessionRecord = {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly authenticatedAt: number;
  readonly expiresAt: number;
  readonly address: string;
  readonly userAgent: string;
};

export type TokenRecord = {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly class: TokenClass;
  readonly scopes: readonly Scope[];
  readonly nodes?: readonly string[];
  /** SHA-256 of the whole token, in hexadecimal. 256 random bits need no slow hash. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt?: number;
};

export type SessionRef = { readonly id: string; readonly key: RecordKey; readonly expiresAt: number };
/** `deadAt` is when it expires or when it was revoked. */
export type TokenRef = { readonly id: string; readonly deadAt: number };

/**
 * The credentials of one user, oldest first. Whatever adds or ends one of them also writes this record, so its version
 * decides every race between them, and nothing has to search all sessions for those of one user.
 */
export type CredentialsRecord = { readonly sessions: readonly SessionRef[]; readonly tokens: readonly TokenRef[] };

/** The enabled owners. Every change of that set writes this one record, so two changes cannot each spare the other's. */
export type OwnersRecord = { readonly ids: readonly string[] };

export type IdempotencyRecord = {
  readonly resultId: string;
  /** Digest of the request without its secrets. */
  readonly request: string;
  readonly expiresAt: number;
};

export const userKey = (id: string): RecordKey => `user/${id}`;
export const usernameKey = (name: string): RecordKey => `username/${name}`;
export const tokenKey = (id: string): RecordKey => `token/${id}`;
export const credentialsKey = (userId: string): RecordKey => `credentials/${userId}`;
export const ownersKey: RecordKey = "owners/main";

export type Reads = Pick<Store, "get">;

export function findUser(store: Reads, id: string): Promise<StoredRecord<UserRecord> | undefined> {
  return store.get<UserRecord>(userKey(id));
}

export async function readCredentials(store: Reads, userId: string): Promise<StoredRecord<CredentialsRecord>> {
  const key = credentialsKey(userId);
  return (await store.get<CredentialsRecord>(key)) ?? { key, version: 0, value: { sessions: [], tokens: [] } };
}

export async function readOwners(store: Reads): Promise<StoredRecord<OwnersRecord>> {
  return (await store.get<OwnersRecord>(ownersKey)) ?? { key: ownersKey, version: 0, value: { ids: [] } };
}
