import type { Clock } from "@gatehouse/base";
import { type AuditEntry, isFault } from "@gatehouse/contract";
import {
  type CredentialsRecord,
  credentialsKind,
  type IdempotencyRecord,
  idempotencyKind,
  type RecordKey,
  type RecordKind,
} from "@gatehouse/contract/records";
import type { Change, Store, StoredRecord } from "@gatehouse/store";
import { remove } from "@gatehouse/store/decide";
import { authLimits } from "./limits.ts";
import { type SessionRef, type TokenRef, tokenKey } from "@gatehouse/identity";
import { rewriteSessions } from "./sessions.ts";
import type { Uses } from "./uses.ts";

export interface SweepDeps {
  readonly store: Pick<Store, "get" | "list" | "commit">;
  readonly clock: Pick<Clock, "now">;
  readonly uses: Pick<Uses, "idleMs">;
}

/**
 * Removes what has ended: expired and idle sessions, tokens that ended long ago, results of old Idempotency-Keys. What it
 * removes has no effect any more, with one exception: an idle session would count as used again when its last use is lost.
 * Each call does a bounded part and goes on where the last one stopped.
 */
export function openSweep(deps: SweepDeps): () => Promise<void> {
  let afterBook: RecordKey<CredentialsRecord> | undefined;
  let afterKey: RecordKey<IdempotencyRecord> | undefined;
  return async () => {
    const now = deps.clock.now();
    const books = await nextPage(deps, credentialsKind, afterBook);
    afterBook = undefined;
    let commits = 0;
    for (const book of books.items) {
      if (commits >= authLimits.sweptCommits) break;
      afterBook = book.key;
      if (await sweepUser(deps, book, now)) commits += 1;
    }
    // At the end of the list the next call begins anew.
    if (afterBook === books.items.at(-1)?.key) afterBook = books.next;
    const results = await nextPage(deps, idempotencyKind, afterKey);
    afterKey = results.next;
    await sweepKeys(deps, results.items, now);
  };
}

async function nextPage<T extends CredentialsRecord | IdempotencyRecord>(
  deps: SweepDeps,
  kind: RecordKind<T>,
  after: RecordKey<T> | undefined,
): Promise<{ items: readonly StoredRecord<T>[]; next: RecordKey<T> | undefined }> {
  const limit = authLimits.sweptRecords;
  const items = await deps.store.list(kind, { limit, ...(after !== undefined && { after }) });
  return { items, next: items.length < limit ? undefined : items.at(-1)?.key };
}

async function sweepUser(deps: SweepDeps, book: StoredRecord<CredentialsRecord>, now: number): Promise<boolean> {
  const idleMs = new Map<string, number>();
  for (const { id } of book.value.sessions) idleMs.set(id, await deps.uses.idleMs(id));
  const keep = ({ id, expiresAt }: SessionRef) => expiresAt > now && (idleMs.get(id) ?? 0) < authLimits.idleMs;
  const isOld = ({ deadAt }: TokenRef) => deadAt + authLimits.keepDeadTokensMs <= now;
  const old = book.value.tokens.filter(isOld);
  if (old.length === 0 && book.value.sessions.every(keep)) return false;
  const tokens = book.value.tokens.filter((token) => !isOld(token));
  const { changes, ended } = await rewriteSessions(deps.store, book, { keep, tokens });
  const records = await Promise.all(old.map(({ id }) => deps.store.get(tokenKey(id))));
  const userId = book.key.id;
  await commitUnlessChanged(
    deps,
    {
      at: now,
      actor: "system",
      action: "auth.swept",
      subject: `user/${userId}`,
      outcome: "done",
      detail: { userId, ended: [...ended, ...old.map(({ id }) => id)] },
    },
    [...changes, ...records.flatMap((token) => (token === undefined ? [] : [remove(token)]))],
  );
  return true;
}

async function sweepKeys(deps: SweepDeps, items: readonly StoredRecord<IdempotencyRecord>[], now: number) {
  const old = items.filter(({ value }) => value.expiresAt <= now);
  if (old.length === 0) return;
  const detail = { records: old.length };
  const entry = { at: now, actor: "system", action: "auth.keys_swept", subject: "idempotency", detail } as const;
  await commitUnlessChanged(deps, entry, old.map(remove));
}

/** A record that somebody uses at this moment is swept the next time. */
async function commitUnlessChanged(deps: SweepDeps, entry: AuditEntry, changes: readonly Change[]): Promise<void> {
  try {
    await deps.store.commit(entry, changes);
  } catch (error) {
    if (!isFault(error, "store.conflict")) throw error;
  }
}
