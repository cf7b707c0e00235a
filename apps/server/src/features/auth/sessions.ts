import { hash, randomBytes } from "node:crypto";
import { type CredentialsRecord, type RecordKey, type SessionRecord, sessionKind } from "@gatehouse/contract/records";
import type { Change, StoredRecord } from "@gatehouse/store";
import { create, put, type Reads, remove } from "@gatehouse/store/decide";
import { authLimits } from "./limits.ts";
import { sessionKeyOfRef, type SessionRef, type TokenRef } from "@gatehouse/identity";

/** The cookie's value is the secret; only its digest is kept. */
export function sessionKeyOf(value: string): RecordKey<SessionRecord> {
  return sessionKind.key(hash("sha256", value));
}

export interface Rewrite {
  readonly keep: (session: SessionRef) => boolean;
  /** A session that begins, or the successor of one under the same id: it gets a new value (security class 29). */
  readonly add?: SessionRecord;
  readonly tokens?: readonly TokenRef[];
}

export interface Rewritten {
  readonly changes: readonly Change[];
  /** Ids of the sessions that ended. A session that was replaced goes on. */
  readonly ended: readonly string[];
  /** The cookie's value for `add`; nobody else ever sees it. */
  readonly value: string;
}

/** The one way in which sessions begin and end: together with the record that lists them. */
export async function rewriteSessions(
  read: Reads,
  book: StoredRecord<CredentialsRecord>,
  { keep, add, tokens }: Rewrite,
): Promise<Rewritten> {
  const value = randomBytes(32).toString("base64url");
  const removed = book.value.sessions.filter((session) => !keep(session) || session.id === add?.id);
  const kept = book.value.sessions.filter((session) => !removed.includes(session));
  const gone = await Promise.all(removed.map((session) => read.get(sessionKeyOfRef(session))));
  const key = sessionKeyOf(value);
  const added = add === undefined ? [] : [{ id: add.id, key: key.text, expiresAt: add.expiresAt }];
  const next = { sessions: [...kept, ...added], tokens: tokens ?? book.value.tokens };
  return {
    value,
    ended: removed.map(({ id }) => id).filter((id) => id !== add?.id),
    changes: [
      put(book, next),
      ...gone.flatMap((session) => (session === undefined ? [] : [remove(session)])),
      ...(add === undefined ? [] : [create(key, add)]),
    ],
  };
}

/** Which sessions stay when another begins: those that still run, without the oldest beyond what one user may have. */
export function roomForOne(sessions: readonly SessionRef[], now: number): (session: SessionRef) => boolean {
  const running = sessions.filter(({ expiresAt }) => expiresAt > now);
  const kept = new Set(running.slice(-(authLimits.sessionsPerUser - 1)));
  return (session) => kept.has(session);
}

export function describeClient(request: { readonly clientAddress: string }, userAgent: string | undefined) {
  return { address: request.clientAddress, userAgent: (userAgent ?? "").slice(0, authLimits.userAgentChars) };
}
