import { type AuditQuery, limits, type LoggedEntry } from "../port.ts";
import { queryWords, searchableText, words } from "./text.ts";

/** A query with every default filled in. Positions are inclusive on both sides. */
export interface NormalisedQuery {
  readonly actor: string | undefined;
  readonly subject: string | undefined;
  readonly action: string | undefined;
  /** All actions that begin with this; it ends in a dot. */
  readonly actions: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly words: readonly string[];
  readonly low: number;
  readonly high: number;
  readonly newestFirst: boolean;
  readonly limit: number;
}

export const lastPosition = Number.MAX_SAFE_INTEGER;

export function normaliseQuery(query: AuditQuery): NormalisedQuery {
  const newestFirst = query.order !== "oldest";
  const after = query.after;
  const isNoun = query.action?.endsWith(".") === true;
  return {
    actor: query.actor,
    subject: query.subject,
    action: isNoun ? undefined : query.action,
    actions: isNoun ? query.action : undefined,
    from: query.from,
    to: query.to,
    words: query.text === undefined ? [] : queryWords(query.text),
    low: !newestFirst && after !== undefined ? Math.max(1, after + 1) : 1,
    high: newestFirst && after !== undefined ? Math.min(lastPosition, after - 1) : lastPosition,
    newestFirst,
    limit: Math.max(1, Math.min(limits.pageItems, Math.trunc(query.limit) || 1)),
  };
}

/** Says in TypeScript what `search-sql.ts` says in SQL, positions aside; a property test holds the two together. */
export function matchesQuery(query: NormalisedQuery, entry: LoggedEntry): boolean {
  if (query.actor !== undefined && entry.actor !== query.actor) return false;
  if (query.subject !== undefined && entry.subject !== query.subject) return false;
  if (query.action !== undefined && entry.action !== query.action) return false;
  if (query.actions !== undefined && !entry.action.startsWith(query.actions)) return false;
  if (query.from !== undefined && entry.at < query.from) return false;
  if (query.to !== undefined && entry.at >= query.to) return false;
  if (query.words.length === 0) return true;
  const found = words(searchableText(entry));
  return query.words.every((word) => found.some((other) => other.startsWith(word)));
}
