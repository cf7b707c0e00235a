import { DatabaseSync } from "node:sqlite";
import { readVersion } from "../database/schema.ts";
import type { Flaw } from "./audit-index.ts";
import type { AuditStatements } from "./audit-statements.ts";
import { logsFormat } from "./logs-format.ts";

/**
 * What a start can afford to look at: that the schema is ours and nothing was added to it, that SQLite can walk every table,
 * and that nothing is filed beyond the archive's ends. What the entries say is left to the check in the background.
 */
export function quickCheck({ db, sql, holding }: AuditStatements): Flaw | undefined {
  const { archived, pruned } = holding();
  const flaw = (expected: string, found: string): Flaw => ({ position: pruned + 1, expected, found });
  const isOfToday = readVersion(db) > logsFormat.steps.length;
  const ours = isOfToday ? expected().withHeads : expected();
  const strange = findStrange(readSchema(db), ours.schema);
  if (strange !== undefined) return flaw("the schema of this version", `a difference: ${strange.slice(0, 120)}`);
  const setting = findStrange(readSettings(db), ours.settings);
  if (setting !== undefined) return flaw("the settings of this version in audit_text", setting.slice(0, 120));
  const { roots, places } = sql(rootsOf).get() as unknown as Roots;
  if (roots !== places) return flaw("tables and indexes with pages of their own", "two that share theirs");
  if (!Number.isSafeInteger(pruned) || pruned < 0 || pruned > archived.position) {
    return flaw(`a beginning between 0 and ${archived.position}`, String(pruned));
  }
  for (const table of tablesOf(db)) {
    const [row] = db.prepare(`PRAGMA main.quick_check(${table})`).all();
    const found = String(Object.values(row ?? {})[0]).slice(0, 200);
    if (found !== "ok") return flaw(`a sound table ${table}`, found);
  }
  for (const [table, first, last] of extents) {
    const ends = sql(`SELECT (SELECT ${first} FROM main.${table} ORDER BY 1 LIMIT 1) AS first,
      (SELECT ${last} FROM main.${table} ORDER BY ${first} DESC LIMIT 1) AS last`).get();
    const [from, to] = [Number(ends?.["first"] ?? pruned + 1), Number(ends?.["last"] ?? pruned)];
    if (from === pruned + 1 && to === archived.position) continue;
    return flaw(`${table} from ${pruned + 1} to ${archived.position}`, `${from} to ${to}`);
  }
  return undefined;
}

/** Whoever empties one of two tables that share their pages empties the other. */
const rootsOf =
  "SELECT count(*) AS roots, count(DISTINCT rootpage) AS places FROM main.sqlite_schema WHERE rootpage > 0";

interface Roots {
  readonly roots: number;
  readonly places: number;
}

const extents = [
  ["audit_entries", "position", "position"],
  ["audit_groups", "first", "first + count - 1"],
] as const;

interface Definition {
  readonly schema: readonly string[];
  readonly settings: readonly string[];
}

let made: (Definition & { readonly withHeads: Definition }) | undefined;

/** As SQLite itself writes it down, the tables behind the text index among them. */
function expected(): NonNullable<typeof made> {
  if (made !== undefined) return made;
  const db = new DatabaseSync(":memory:");
  try {
    for (const step of logsFormat.steps) for (const sql of step) db.exec(sql);
    const before = { schema: readSchema(db), settings: readSettings(db) };
    for (const sql of logsFormat.lastStep ?? []) db.exec(sql);
    made = { ...before, withHeads: { ...before, schema: readSchema(db) } };
    return made;
  } finally {
    db.close();
  }
}

function findStrange(found: readonly string[], ours: readonly string[]): string | undefined {
  return found.find((row) => !ours.includes(row)) ?? ours.find((row) => !found.includes(row));
}

/** How the text index reads its own pages. */
function readSettings(db: DatabaseSync): string[] {
  const rows = db.prepare("SELECT k, v FROM main.audit_text_config").all();
  return rows.map((row) => Object.values(row).join(" "));
}

function readSchema(db: DatabaseSync): string[] {
  return db
    .prepare("SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY name")
    .all()
    .map((row) => Object.values(row).join(" "));
}

/** Not the text index itself: SQLite would read all of it. Its tables are checked like the others. */
function tablesOf(db: DatabaseSync): string[] {
  const rows = db.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0").all();
  return rows.map((row) => String(row["name"]));
}
