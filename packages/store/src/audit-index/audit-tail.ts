import { transaction } from "../database/transaction.ts";
import type { AuditStatements } from "./audit-statements.ts";
import { chooseNew, type FreshGroup } from "./continuity.ts";
import { readEntries, readGroups } from "./log-lines.ts";
import { searchableText, words } from "./text.ts";

export interface AuditTail {
  append(log: Uint8Array): void;
  /** Brings the tail's text index up to date. */
  indexText(): void;
  /** Empties the tail up to a position, inside the caller's transaction; `afterwards` is for when that is committed. */
  forget(position: number): { readonly afterwards: () => void };
}

/**
 * The text index follows in batches: a transaction of one entry costs FTS5 as much as one of many, and most entries
 * are archived before anybody searches for their words. So a search finds at most this many left to do.
 */
const textBatch = 5_000;

export function auditTail({ db, run, holding }: AuditStatements): AuditTail {
  /** The text index knows the tail up to here. */
  let texted = holding().last;
  let last = texted;

  const addText = (after: number): void => {
    const text = "INSERT INTO temp.audit_text (rowid, words) SELECT position, words FROM temp.audit_entries";
    run(`${text} WHERE position > ? ORDER BY position`, after);
  };
  const indexText = (): void => {
    if (texted === last) return;
    transaction(db, "DEFERRED", () => addText(texted));
    texted = last;
  };

  return {
    append: (log) => {
      const bytes = Buffer.from(log.buffer, log.byteOffset, log.length);
      const fresh = chooseNew(readGroups(bytes), holding());
      if (fresh.length === 0) return;
      transaction(db, "DEFERRED", () => {
        for (const group of fresh) insertGroup(run, group);
      });
      last = holding().last;
      if (last - texted >= textBatch) indexText();
    },
    indexText,
    forget: (position) => {
      run("DELETE FROM temp.audit_entries WHERE position <= ?", position);
      run("DELETE FROM temp.audit_groups WHERE first <= ?", position);
      // Made anew from the few that stay: cheaper than to take the many out one by one.
      run("INSERT INTO temp.audit_text (audit_text) VALUES ('delete-all')");
      return {
        afterwards: () => {
          texted = position;
          db.exec("PRAGMA temp.incremental_vacuum");
        },
      };
    },
  };
}

function insertGroup(run: AuditStatements["run"], group: FreshGroup): void {
  const { first, count, changesHash, link } = group;
  run("INSERT INTO temp.audit_groups VALUES (?, ?, ?, ?)", first, count, changesHash, link);
  for (const { position, text, entry } of readEntries(group)) {
    const { at, actor, action, subject } = entry;
    const columns = [position, at, actor, action, subject, text, words(searchableText(entry)).join(" ")];
    run("INSERT INTO temp.audit_entries VALUES (?, ?, ?, ?, ?, ?, ?)", ...columns);
  }
}
