import type { DatabaseSync } from "node:sqlite";
import type { AuditQuery, Head } from "../port.ts";
import { archive, beginAt, groups, prune } from "./audit-archive.ts";
import { auditStatements } from "./audit-statements.ts";
import { auditTailSchema } from "./audit-schema.ts";
import { search } from "./audit-search.ts";
import { auditTail } from "./audit-tail.ts";

/** What the thread of `logs.db` answers, by name. */
export function openLogsHandlers(db: DatabaseSync) {
  for (const sql of auditTailSchema) db.exec(sql);
  const statements = auditStatements(db);
  const tail = auditTail(statements);
  return {
    archived: (): Head => statements.holding().archived,
    indexed: (): number => statements.holding().last,
    append: (log: Uint8Array): void => tail.append(log),
    archive: (head: Head): void => archive(statements, tail, head),
    search: (query: AuditQuery) => search(statements, tail, query),
    groups: (after: number, limit: number) => groups(statements, after, limit),
    prune: (position: number): void => prune(statements, position),
    beginAt: (head: Head): void => beginAt(statements, head),
  };
}

export type LogsHandlers = ReturnType<typeof openLogsHandlers>;
