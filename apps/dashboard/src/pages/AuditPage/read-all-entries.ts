import type { AuditEntryView } from "@gatehouse/contract/routes";
import type { QueryClient } from "@tanstack/react-query";
import { isApiError } from "../../api/api-error.ts";
import { type AuditSearch, auditPagesQuery } from "../../api/audit.ts";

/** What one export holds at most: some megabytes, in the browser's memory. */
export const exportLimit = 20_000;
const pageSize = "200";
const patience = 10;

export interface ExportRun {
  readonly signal: AbortSignal;
  readonly onProgress: (read: number) => void;
}

/** All entries of a search, the newest first, up to the limit; `isWhole` says whether that was all of them. */
export async function readAllEntries(client: QueryClient, search: AuditSearch, { signal, onProgress }: ExportRun) {
  const entries: AuditEntryView[] = [];
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    const page = await readPage(client, search, cursor);
    entries.push(...page.items.slice(0, exportLimit - entries.length));
    cursor = page.nextCursor ?? undefined;
    onProgress(entries.length);
  } while (cursor !== undefined && entries.length < exportLimit);
  return { entries, isWhole: cursor === undefined };
}

async function readPage(client: QueryClient, search: AuditSearch, cursor: string | undefined) {
  const pages = auditPagesQuery({ ...search, limit: pageSize });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const read = await client.fetchInfiniteQuery({
        queryKey: ["audit-export", search, cursor ?? "newest"],
        queryFn: pages.queryFn as NonNullable<typeof pages.queryFn>,
        initialPageParam: cursor,
        gcTime: 0,
        staleTime: 0,
      });
      const [page] = read.pages;
      if (page === undefined) throw new Error("the answer holds no page");
      return page;
    } catch (error) {
      if (!isApiError(error, "request.rate_limited") || attempt === patience) throw error;
      const seconds = Number(error.fields["retryAfter"]);
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 1_000 * (seconds > 0 ? Math.min(seconds, 30) : 2));
      await promise;
    }
  }
}

/** One entry a line. */
export function jsonLines(entries: readonly AuditEntryView[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}
