import type { AuditQuery } from "../port.ts";
import type { AuditStatements } from "./audit-statements.ts";
import { type SchemaName, spanSize } from "./audit-schema.ts";
import type { AuditTail } from "./audit-tail.ts";
import { searchSql } from "./search-sql.ts";
import { normaliseQuery, type NormalisedQuery } from "./normalise-query.ts";

/** A page whose items are one JSON text: the server's thread parses it once instead of receiving row after row. */
export interface FoundPage {
  readonly items: string;
  readonly next?: number;
}

/** Every position of the tail is beyond every archived one, so two ordered searches, one after the other, are one. */
export function search({ sql }: AuditStatements, tail: AuditTail, asked: AuditQuery): FoundPage {
  const query = normaliseQuery(asked);
  if (query.words.length > 0) tail.indexText();
  const schemas: readonly SchemaName[] = query.newestFirst ? ["temp", "main"] : ["main", "temp"];
  const rows: Row[] = [];
  for (const schema of schemas) {
    const within = schema === "main" ? narrow(sql, query) : query;
    const { sql: text, values } = searchSql(schema, within, query.limit + 1 - rows.length);
    if (within.low > within.high) continue;
    rows.push(...(sql(text).all(...values) as unknown as Row[]));
    if (rows.length > query.limit) break;
  }
  const hasMore = rows.length > query.limit;
  if (hasMore) rows.pop();
  const items = `[${rows.map(({ position, public: text }) => `${text.slice(0, -1)},"position":${position}}`).join(",")}]`;
  const next = rows.at(-1)?.position;
  return hasMore && next !== undefined ? { items, next } : { items };
}

interface Row {
  readonly position: number;
  readonly public: string;
}

/** Narrows positions to the spans that can hold the times asked for. */
function narrow(sql: AuditStatements["sql"], query: NormalisedQuery): NormalisedQuery {
  let { low, high } = query;
  if (query.from !== undefined) {
    const span = findSpan(sql, "SELECT min(span) AS span FROM main.audit_spans WHERE latest >= ?", query.from);
    low = Math.max(low, span === null ? Infinity : span * spanSize);
  }
  if (query.to !== undefined) {
    const span = findSpan(sql, "SELECT max(span) AS span FROM main.audit_spans WHERE earliest < ?", query.to);
    high = Math.min(high, span === null ? -Infinity : (span + 1) * spanSize - 1);
  }
  return { ...query, low, high };
}

function findSpan(sql: AuditStatements["sql"], text: string, at: number): number | null {
  return sql(text).get(at)?.["span"] as number | null;
}
