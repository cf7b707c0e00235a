import type { DatabaseSync } from "node:sqlite";
import { takeLastStep } from "../database/schema.ts";
import { openHeadTable } from "../heads/head-table.ts";
import type { AuditQuery, Head } from "../port.ts";
import { archive, beginAt, groups, linkAt, prune } from "./audit-archive.ts";
import type { SearchCheckStep } from "./audit-index.ts";
import { auditStatements } from "./audit-statements.ts";
import { auditTailSchema } from "./audit-schema.ts";
import { search } from "./audit-search.ts";
import { auditTail } from "./audit-tail.ts";
import { checkSearch } from "./check-search.ts";
import { logsFormat } from "./logs-format.ts";
import { quickCheck } from "./quick-check.ts";
import { rebuildSearch } from "./rebuild-search.ts";

/** What the thread of `logs.db` answers, by name. */
export function openLogsHandlers(db: DatabaseSync) {
  for (const sql of auditTailSchema) db.exec(sql);
  const statements = auditStatements(db);
  const tail = auditTail(statements);
  const heads = openHeadTable(db, () => takeLastStep(db, logsFormat));
  /** The one that is under way. */
  let check: ReturnType<typeof checkSearch> | undefined;
  return {
    archived: (): Head => statements.holding().archived,
    indexed: (): number => statements.holding().last,
    append: (log: Uint8Array): void => tail.append(log),
    archive: (head: Head): void => archive(statements, tail, head),
    search: (query: AuditQuery) => search(statements, tail, query),
    groups: (after: number, limit: number) => groups(statements, after, limit),
    prune: (position: number): void => prune(statements, position),
    beginAt: (head: Head): void => beginAt(statements, head),
    quickCheck: () => quickCheck(statements),
    checkSearch: (begin: boolean): SearchCheckStep => {
      if (begin || check === undefined) check = checkSearch(statements);
      const step = check.next();
      if (step.done !== true) return { done: false };
      check = undefined;
      return step.value === undefined ? { done: true } : { done: true, flaw: step.value };
    },
    rebuildSearch: (): void => rebuildSearch(db),
    linkAt: (position: number): string | undefined => linkAt(statements, position),
    newestHead: heads.newest,
    keepHead: heads.keep,
    listHeads: heads.list,
  };
}

export type LogsHandlers = ReturnType<typeof openLogsHandlers>;
