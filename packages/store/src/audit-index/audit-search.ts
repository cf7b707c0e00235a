import type { AuditQuery } from "../port.ts";
import type { AuditBooks } from "./audit-books.ts";
import { type Shelf, spanSize } from "./audit-schema.ts";
import type { AuditTail } from "./audit-tail.ts";
import { searchSql } from "./search-sql.ts";
import { readQuery, type Wanted } from "./wanted.ts";

/** A page whose items are one JSON text: the server's thread parses it once instead of receiving row after row. */
export interface FoundPage {
  readonly items: string;
  readonly next?: number;
}

/** Every position of the tail is beyond every archived one, so two ordered searches, one after the other, are one. */
export function search({ sql }: AuditBooks, tail: AuditTail, query: AuditQuery): FoundPage {
  const wanted = readQuery(query);
  if (wanted.words.length > 0) tail.indexText();
  const shelves: readonly Shelf[] = wanted.newestFirst ? ["temp", "main"] : ["main", "temp"];
  const rows: Row[] = [];
  for (const shelf of shelves) {
    const within = shelf === "main" ? narrow(sql, wanted) : wanted;
    const { sql: text, values } = searchSql(shelf, within, wanted.limit + 1 - rows.length);
    if (within.low > within.high) continue;
    rows.push(...(sql(text).all(...values) as unknown as Row[]));
    if (rows.length > wanted.limit) break;
  }
  const hasMore = rows.length > wanted.limit;
  if (hasMore) rows.pop();
  const items = `[${rows.map(({ position, public: text }) => `${text.slice(0, -1)},"position":${position}}`).join(",")}]`;
  const next = rows.at(-1)?.position;
  return hasMore && next !== undefined ? { items, next } : { items };
}

interface Row {
  readonly position: number;
  readonly public: string;
}

/** Narrows positions to the spans that can hold the wanted times. */
function narrow(sql: AuditBooks["sql"], wanted: Wanted): Wanted {
  let { low, high } = wanted;
  if (wanted.from !== undefined) {
    const span = findSpan(sql, "SELECT min(span) AS span FROM main.audit_spans WHERE latest >= ?", wanted.from);
    low = Math.max(low, span === null ? Infinity : span * spanSize);
  }
  if (wanted.to !== undefined) {
    const span = findSpan(sql, "SELECT max(span) AS span FROM main.audit_spans WHERE earliest < ?", wanted.to);
    high = Math.min(high, span === null ? -Infinity : (span + 1) * spanSize - 1);
  }
  return { ...wanted, low, high };
}

function findSpan(sql: AuditBooks["sql"], text: string, at: number): number | null {
  return sql(text).get(at)?.["span"] as number | null;
}
