import { transaction } from "../database/transaction.ts";
import type { Head } from "../port.ts";
import type { AuditStatements } from "./audit-statements.ts";
import type { ArchivedGroup } from "./audit-index.ts";
import { spanSize, spansOf } from "./audit-schema.ts";
import type { AuditTail } from "./audit-tail.ts";
import { endOf, mustArchive, mustBeEmpty, mustPrune } from "./continuity.ts";

/**
 * Moves the tail up to `head` into the file. Positions that are archived never enter the tail (`chooseNew` compared them),
 * so a repeated archive inserts nothing twice.
 */
export function archive({ db, run, holding }: AuditStatements, tail: AuditTail, head: Head): void {
  if (mustArchive(head, holding())) {
    const moved = transaction(db, "IMMEDIATE", () => {
      for (const text of moves) run(text, head.position);
      run("UPDATE main.audit_meta SET position = ?, link = ?", head.position, head.link);
      return tail.forget(head.position);
    });
    moved.afterwards();
  }
  // Into logs.db itself: an operator backs up that file, not its companions (contract 2.5).
  intoFile(db);
}

const columns = "position, at, actor, action, subject, public";

const moves: readonly string[] = [
  `INSERT INTO main.audit_groups SELECT first, count, changes_hash, link FROM temp.audit_groups
    WHERE first <= ? ORDER BY first`,
  `INSERT INTO main.audit_entries SELECT ${columns} FROM temp.audit_entries WHERE position <= ? ORDER BY position`,
  `INSERT INTO main.audit_spans ${spansOf("temp")} WHERE position <= ? GROUP BY span
    ON CONFLICT DO UPDATE SET earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest)`,
  `INSERT INTO main.audit_text (rowid, words) SELECT position, words FROM temp.audit_entries
    WHERE position <= ? ORDER BY position`,
];

export function prune({ db, run, holding }: AuditStatements, position: number): void {
  if (!mustPrune(position, holding())) return;
  transaction(db, "IMMEDIATE", () => {
    run("DELETE FROM main.audit_text WHERE rowid <= CAST(? AS INTEGER)", position);
    run("DELETE FROM main.audit_entries WHERE position <= ?", position);
    run("DELETE FROM main.audit_groups WHERE first <= ?", position);
    // The span that the position lies in may speak for entries that stay.
    run("DELETE FROM main.audit_spans WHERE span < ?", Math.floor(position / spanSize));
    run("UPDATE main.audit_meta SET pruned = ?", position);
  });
  db.exec("PRAGMA main.incremental_vacuum");
  intoFile(db);
}

/** An empty archive takes `head` for its end, as if everything up to there had been pruned. */
export function beginAt({ db, run, holding }: AuditStatements, head: Head): void {
  mustBeEmpty(holding());
  transaction(db, "IMMEDIATE", () => {
    run("UPDATE main.audit_meta SET position = ?, link = ?, pruned = ?", head.position, head.link, head.position);
  });
  intoFile(db);
}

/** The link of the group that ends there, in archive or tail; undefined where none does. */
export function linkAt({ holding }: AuditStatements, position: number): string | undefined {
  const held = holding();
  if (position === held.archived.position) return held.archived.link;
  const group = position > 0 ? held.groupAt(position) : undefined;
  return group !== undefined && endOf(group) === position ? group.link : undefined;
}

/** Archived groups that begin after a position, with the exact texts of their entries. */
export function groups({ sql }: AuditStatements, after: number, limit: number): ArchivedGroup[] {
  const found = sql(
    "SELECT first, count, changes_hash, link FROM main.audit_groups WHERE first > ? ORDER BY first LIMIT ?",
  ).all(after, Math.max(0, limit)) as unknown as GroupRow[];
  const [begin, end] = [found[0], found.at(-1)];
  if (begin === undefined || end === undefined) return [];
  const entries = sql(
    `SELECT position, public, ${isFound} AS found FROM main.audit_entries WHERE position BETWEEN ? AND ? ORDER BY position`,
  );
  const texts = entries.iterate(begin.first, endOf(end)) as Iterator<EntryRow>;
  let row = texts.next();
  return found.map(({ first, count, changes_hash: changesHash, link }) => {
    const own: string[] = [];
    let hidden: number | undefined;
    // An entry that is missing shows as a wrong link when the chain is verified.
    for (; row.done !== true && row.value.position < first + count; row = texts.next()) {
      own.push(row.value.public);
      if (row.value.found !== 1) hidden ??= row.value.position;
    }
    return { first, entries: own, changesHash, link, ...(hidden !== undefined && { hidden }) };
  });
}

/** The columns that search goes by say what the entry says. Indexes and words are left to `checkSearch`. */
const isFound = `CASE WHEN json_valid(public) THEN
  json_extract(public, '$.at') IS at AND json_extract(public, '$.actor') IS actor
  AND json_extract(public, '$.action') IS action AND json_extract(public, '$.subject') IS subject ELSE 0 END`;

interface EntryRow {
  readonly position: number;
  readonly public: string;
  readonly found: number;
}

interface GroupRow {
  readonly first: number;
  readonly count: number;
  readonly changes_hash: string;
  readonly link: string;
}

function intoFile(db: AuditStatements["db"]): void {
  db.exec("PRAGMA main.wal_checkpoint(TRUNCATE)");
}
