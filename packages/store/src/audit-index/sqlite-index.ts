import { fault } from "@gatehouse/contract/faults";
import type { AuditRecord } from "../port.ts";
import { type DatabaseThread, type DatabaseThreadOptions, openDatabaseThread } from "../database/database-thread.ts";
import type { AuditIndex } from "./audit-index.ts";
import type { Nouns } from "./nouns.ts";

export type SqliteIndexOptions = DatabaseThreadOptions;

/** Opens the audit index in `logs.db` with a thread of its own; `close` ends the thread. */
export async function openSqliteIndex(options: SqliteIndexOptions): Promise<AuditIndex> {
  return sqliteIndex(await openLogsThread(options));
}

export function openLogsThread(options: DatabaseThreadOptions): Promise<DatabaseThread<Nouns>> {
  return openDatabaseThread<Nouns>(program, options);
}

const program = { file: new URL("./sqlite-worker.ts", import.meta.url), name: "logs-db" };

/** The audit index as one noun of a database thread. */
export function sqliteIndex(thread: DatabaseThread<Nouns>): AuditIndex {
  return {
    archived: () => thread.call("audit", "archived", []),
    indexed: () => thread.call("audit", "indexed", []),
    append: (log) => {
      // One copy, because the caller keeps its buffer; the copy itself moves to the thread.
      const copy = new Uint8Array(log);
      return thread.call("audit", "append", [copy], [copy.buffer]);
    },
    archive: (head) => thread.call("audit", "archive", [{ position: head.position, link: head.link }]),
    search: async (query) => {
      const { items, next } = await thread.call("audit", "search", [query]);
      const records = parseItems(items);
      return next === undefined ? { items: records } : { items: records, next };
    },
    groups: (after, limit) => thread.call("audit", "groups", [after, limit]),
    prune: (position) => thread.call("audit", "prune", [position]),
    beginAt: (head) => thread.call("audit", "beginAt", [{ position: head.position, link: head.link }]),
    close: () => thread.close(),
  };
}

/** SQLite does not check the bytes inside a row, so a damaged text is found here at the latest. */
function parseItems(items: string): AuditRecord[] {
  try {
    return JSON.parse(items) as AuditRecord[];
  } catch (cause) {
    throw fault("store.archive_damaged", "an archived entry is not JSON", { cause });
  }
}
