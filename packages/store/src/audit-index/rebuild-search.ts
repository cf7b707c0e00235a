import type { DatabaseSync } from "node:sqlite";
import { transaction } from "../database/transaction.ts";
import type { LoggedEntry } from "../port.ts";
import { auditIndexes, spansOf } from "./audit-schema.ts";
import { searchableText, words } from "./text.ts";

/** Makes everything that search goes by anew from the entries: all of it or nothing. */
export function rebuildSearch(db: DatabaseSync): void {
  db.function("words_of", { directOnly: true }, (text) =>
    words(searchableText(JSON.parse(String(text)) as LoggedEntry)).join(" "),
  );
  transaction(db, "IMMEDIATE", () => {
    // Away before a row is changed: SQLite refuses to change a row that its index does not know.
    for (const name of auditIndexes.keys()) db.exec(`DROP INDEX IF EXISTS main.${name}`);
    db.exec(columnsFromEntries);
    for (const sql of auditIndexes.values()) db.exec(sql);
    db.exec("DELETE FROM main.audit_spans");
    db.exec(`INSERT INTO main.audit_spans ${spansOf("main")} GROUP BY span`);
    db.exec("INSERT INTO main.audit_text (audit_text) VALUES ('delete-all')");
    db.exec("INSERT INTO main.audit_text (rowid, words) SELECT position, words_of(public) FROM main.audit_entries");
  });
  db.exec("PRAGMA main.wal_checkpoint(TRUNCATE)");
}

const columns = ["at", "actor", "action", "subject"];
const columnsFromEntries = `UPDATE main.audit_entries SET ${columns.map((name) => `${name} = public ->> '$.${name}'`).join(", ")}
  WHERE ${columns.map((name) => `${name} IS NOT public ->> '$.${name}'`).join(" OR ")}`;
