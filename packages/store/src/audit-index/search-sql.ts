import type { SchemaName } from "./audit-schema.ts";
import { words } from "./text.ts";
import type { NormalisedQuery } from "./normalise-query.ts";

export interface Search {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/**
 * The part of a search in one schema, as rows of (position, public). The plan is chosen here, not by SQLite, which knows
 * nothing about how rare a value is: words first, then subject, actor and action. Each of them yields positions in order, so
 * that a page ends the search; only a noun's actions have to be sorted.
 */
export function searchSql(schema: SchemaName, query: NormalisedQuery, limit: number): Search {
  const order = query.newestFirst ? "DESC" : "ASC";
  const { conditions, values } = fieldConditions(query);
  // Bound numbers arrive as reals, and FTS5 heeds only whole numbers as bounds.
  const bounds = `BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`;
  const from = `${schema}.audit_entries AS e`;
  if (query.words.length > 0) {
    return {
      sql: `SELECT e.position, e.public FROM ${schema}.audit_text AS t CROSS JOIN ${from} ON e.position = t.rowid
        WHERE t.audit_text MATCH ? AND t.rowid ${bounds}${conditions} ORDER BY t.rowid ${order} LIMIT ?`,
      values: [matchText(query), query.low, query.high, ...values, limit],
    };
  }
  const rows = `${from} ${driver(schema, query)} WHERE e.position ${bounds}${conditions} ORDER BY e.position ${order} LIMIT ?`;
  const bound = [query.low, query.high, ...values, limit];
  if (!sorts(schema, query)) return { sql: `SELECT e.position, e.public FROM ${rows}`, values: bound };
  // Sorts positions alone and fetches the texts of the page afterwards.
  return {
    sql: `SELECT p.position, e.public FROM (SELECT e.position FROM ${rows}) AS p
      CROSS JOIN ${from} ON e.position = p.position ORDER BY p.position ${order}`,
    values: bound,
  };
}

/**
 * What the text index is asked. The words of the queried fields are words of the text too: they are asked for as well, so
 * that a common word together with a rare subject does not mean a look at every entry with the common word.
 */
function matchText({ words: begun, subject, actor, action, actions }: NormalisedQuery): string {
  const whole = words([subject, actor, action, actions].join(" "));
  return [...begun.map((word) => `"${word}"*`), ...whole.map((word) => `"${word}"`)].join(" ");
}

function driver(schema: SchemaName, query: NormalisedQuery): string {
  if (schema === "temp") return "NOT INDEXED";
  if (query.subject !== undefined) return "INDEXED BY audit_subject";
  if (query.actor !== undefined) return "INDEXED BY audit_actor";
  if (query.action !== undefined || query.actions !== undefined) return "INDEXED BY audit_action";
  return "NOT INDEXED";
}

function sorts(schema: SchemaName, query: NormalisedQuery): boolean {
  return schema === "main" && query.actions !== undefined && query.subject === undefined && query.actor === undefined;
}

function fieldConditions(query: NormalisedQuery): { conditions: string; values: (string | number)[] } {
  const pairs: readonly (readonly [string, string | number | undefined])[] = [
    ["e.subject = ?", query.subject],
    ["e.actor = ?", query.actor],
    ["e.action = ?", query.action],
    ["e.action >= ?", query.actions],
    // "/" follows "." directly, so this ends exactly where the noun's actions end.
    ["e.action < ?", query.actions === undefined ? undefined : `${query.actions.slice(0, -1)}/`],
    ["e.at >= ?", query.from],
    ["e.at < ?", query.to],
  ];
  const values: (string | number)[] = [];
  let conditions = "";
  for (const [condition, value] of pairs) {
    if (value === undefined) continue;
    conditions += ` AND ${condition}`;
    values.push(value);
  }
  return { conditions, values };
}
