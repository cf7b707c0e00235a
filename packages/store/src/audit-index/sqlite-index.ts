import { fault } from "@gatehouse/contract/faults";
import type { AuditRecord } from "../port.ts";
import { type DatabaseThread, type DatabaseThreadOptions, openDatabaseThread } from "../database/database-thread.ts";
import type { AuditIndex } from "./audit-index.ts";
import type { LogsHandlers } from "./logs-handlers.ts";

export type SqliteIndexOptions = DatabaseThreadOptions;

/** Opens the audit index in `logs.db` with a thread of its own; `close` ends the thread. */
export async function openSqliteIndex(options: SqliteIndexOptions): Promise<AuditIndex> {
  return sqliteIndex(await openLogsThread(options));
}

export function openLogsThread(options: DatabaseThreadOptions): Promise<DatabaseThread<LogsHandlers>> {
  return openDatabaseThread<LogsHandlers>(program, options);
}

const program = { file: new URL("./sqlite-worker.ts", import.meta.url), name: "logs-db" };

/** The audit index over the thread of `logs.db`. */
export function sqliteIndex(thread: DatabaseThread<LogsHandlers>): AuditIndex {
  return {
    archived: () => thread.call("archived", []),
    indexed: () => thread.call("indexed", []),
    append: (log) => {
      // One copy, because the caller keeps its buffer; the copy itself moves to the thread.
      const copy = new Uint8Array(log);
      return thread.call("append", [copy], [copy.buffer]);
    },
    archive: (head) => thread.call("archive", [{ position: head.position, link: head.link }]),
    search: async (query) => {
      const { items, next } = await thread.call("search", [query]);
      const records = parseItems(items);
      return next === undefined ? { items: records } : { items: records, next };
    },
    groups: (after, limit) => thread.call("groups", [after, limit]),
    prune: (position) => thread.call("prune", [position]),
    beginAt: (head) => thread.call("beginAt", [{ position: head.position, link: head.link }]),
    quickCheck: () => thread.call("quickCheck", []),
    checkSearch: (begin) => thread.call("checkSearch", [begin]),
    rebuildSearch: () => thread.call("rebuildSearch", []),
    linkAt: (position) => thread.call("linkAt", [position]),
    heads: {
      newest: () => thread.call("newestHead", []),
      keep: (head) => thread.call("keepHead", [head]),
      list: (from, limit) => thread.call("listHeads", [from, limit]),
    },
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
