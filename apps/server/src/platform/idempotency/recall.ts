import { hash } from "node:crypto";
import { fault } from "@gatehouse/contract";
import { idempotencyKind } from "@gatehouse/contract/records";
import type { Change } from "@gatehouse/store";
import { put, type Reads } from "@gatehouse/store/decide";

/** How long the result of an Idempotency-Key is kept. */
const keptMs = 24 * 60 * 60_000;

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
  const found = await store.get(key);
  if (found !== undefined && found.value.expiresAt > asked.now) {
    if (found.value.request === request) return { resultId: found.value.resultId };
    throw fault("request.key_reused", "the Idempotency-Key was sent before with another request");
  }
  const expiresAt = asked.now + keptMs;
  const before = found ?? { key, version: 0 };
  return { resultId: undefined, keep: (resultId) => [put(before, { resultId, request, expiresAt })] };
}

/** Lengths stand before the parts, so that no two triples give one text. */
function recordKey(userId: string, route: string, key: string) {
  const text = [userId, route, key].map((part) => `${part.length}:${part}`).join();
  return idempotencyKind.key(hash("sha256", text));
}
