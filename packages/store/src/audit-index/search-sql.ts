import type { Shelf } from "./audit-schema.ts";
import { words } from "./text.ts";
import type { Wanted } from "./wanted.ts";

export interface Search {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/**
 * One shelf's part of a search, as rows of (position, public). The plan is chosen here, not by SQLite, which knows
 * nothing about how rare a value is: words first, then subject, actor and action. Each of them yields positions in order, so
 * that a page ends the search; only a noun's actions have to be sorted.
 */
export function searchSql(shelf: Shelf, wanted: Wanted, limit: number): Search {
  const order = wanted.newestFirst ? "DESC" : "ASC";
  const { conditions, values } = fieldConditions(wanted);
  // Bound numbers arrive as reals, and FTS5 heeds only whole numbers as bounds.
  const bounds = `BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`;
  const from = `${shelf}.audit_entries AS e`;
  if (wanted.words.length > 0) {
    return {
      sql: `SELECT e.position, e.public FROM ${shelf}.audit_text AS t CROSS JOIN ${from} ON e.position = t.rowid
        WHERE t.audit_text MATCH ? AND t.rowid ${bounds}${conditions} ORDER BY t.rowid ${order} LIMIT ?`,
      values: [matchText(wanted), wanted.low, wanted.high, ...values, limit],
    };
  }
  const rows = `${from} ${driver(shelf, wanted)} WHERE e.position ${bounds}${conditions} ORDER BY e.position ${order} LIMIT ?`;
  const bound = [wanted.low, wanted.high, ...values, limit];
  if (!sorts(shelf, wanted)) return { sql: `SELECT e.position, e.public FROM ${rows}`, values: bound };
  // Sorts positions alone and fetches the texts of the page afterwards.
  return {
    sql: `SELECT p.position, e.public FROM (SELECT e.position FROM ${rows}) AS p
      CROSS JOIN ${from} ON e.position = p.position ORDER BY p.position ${order}`,
    values: bound,
  };
}

/**
 * What the text index is asked. The words of the wanted fields are words of the text too: they are asked for as well, so
 * that a common word together with a rare subject does not mean a look at every entry with the common word.
 */
function matchText({ words: begun, subject, actor, action, actions }: Wanted): string {
  const whole = words([subject, actor, action, actions].join(" "));
  return [...begun.map((word) => `"${word}"*`), ...whole.map((word) => `"${word}"`)].join(" ");
}

function driver(shelf: Shelf, wanted: Wanted): string {
  if (shelf === "temp") return "NOT INDEXED";
  if (wanted.subject !== undefined) return "INDEXED BY audit_subject";
  if (wanted.actor !== undefined) return "INDEXED BY audit_actor";
  if (wanted.action !== undefined || wanted.actions !== undefined) return "INDEXED BY audit_action";
  return "NOT INDEXED";
}

function sorts(shelf: Shelf, wanted: Wanted): boolean {
  return shelf === "main" && wanted.actions !== undefined && wanted.subject === undefined && wanted.actor === undefined;
}

function fieldConditions(wanted: Wanted): { conditions: string; values: (string | number)[] } {
  const pairs: readonly (readonly [string, string | number | undefined])[] = [
    ["e.subject = ?", wanted.subject],
    ["e.actor = ?", wanted.actor],
    ["e.action = ?", wanted.action],
    ["e.action >= ?", wanted.actions],
    // "/" follows "." directly, so this ends exactly where the noun's actions end.
    ["e.action < ?", wanted.actions === undefined ? undefined : `${wanted.actions.slice(0, -1)}/`],
    ["e.at >= ?", wanted.from],
    ["e.at < ?", wanted.to],
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
