import { hash } from "node:crypto";
import { fault } from "@gatehouse/contract";
import type { Change, RecordKey } from "@gatehouse/store";
import { authLimits } from "./limits.ts";
import type { IdempotencyRecord, Reads } from "@gatehouse/identity";

export interface Asked {
  readonly userId: string;
  readonly route: string;
  /** As the client sent it; undefined when it did not. */
  readonly key: string | undefined;
  /** What was asked for, without its secrets: a digest of a password could be guessed. */
  readonly request: object;
  readonly now: number;
}

/** What became of a key: a result from before, or the change that keeps the one to come. */
export type Remembered =
  | { readonly resultId: string }
  | { readonly resultId: undefined; readonly keep: (resultId: string) => readonly Change[] };

/** The change goes into the commit of the creation itself, so that two requests with one key create one thing. */
export async function recall(store: Reads, asked: Asked): Promise<Remembered> {
  if (asked.key === undefined) return { resultId: undefined, keep: () => [] };
  const key = recordKey(asked.userId, asked.route, asked.key);
  const request = hash("sha256", JSON.stringify(asked.request));
  const found = await store.get<IdempotencyRecord>(key);
  if (found !== undefined && found.value.expiresAt > asked.now) {
    if (found.value.request === request) return { resultId: found.value.resultId };
    throw fault("request.key_reused", "the Idempotency-Key was sent before with another request");
  }
  const expiresAt = asked.now + authLimits.idempotencyMs;
  const newVersion = (found?.version ?? 0) + 1;
  return { resultId: undefined, keep: (resultId) => [{ key, newVersion, value: { resultId, request, expiresAt } }] };
}

/** Lengths stand before the parts, so that no two triples give one text. */
function recordKey(userId: string, route: string, key: string): RecordKey {
  const text = [userId, route, key].map((part) => `${part.length}:${part}`).join();
  return `idempotency/${hash("sha256", text)}`;
}
