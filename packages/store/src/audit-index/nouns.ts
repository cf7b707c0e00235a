import type { DatabaseSync } from "node:sqlite";
import type { AuditQuery, Head } from "../port.ts";
import { archive, beginAt, groups, prune } from "./audit-archive.ts";
import { auditBooks } from "./audit-books.ts";
import { auditTailSchema } from "./audit-schema.ts";
import { search } from "./audit-search.ts";
import { auditTail } from "./audit-tail.ts";

/** What can be asked of `logs.db`, by noun. */
export function openNouns(db: DatabaseSync) {
  return { audit: openAudit(db) };
}

export type Nouns = ReturnType<typeof openNouns>;

function openAudit(db: DatabaseSync) {
  for (const sql of auditTailSchema) db.exec(sql);
  const books = auditBooks(db);
  const tail = auditTail(books);
  return {
    archived: (): Head => books.holding().archived,
    indexed: (): number => books.holding().last,
    append: (log: Uint8Array): void => tail.append(log),
    archive: (head: Head): void => archive(books, tail, head),
    search: (query: AuditQuery) => search(books, tail, query),
    groups: (after: number, limit: number) => groups(books, after, limit),
    prune: (position: number): void => prune(books, position),
    beginAt: (head: Head): void => beginAt(books, head),
  };
}
