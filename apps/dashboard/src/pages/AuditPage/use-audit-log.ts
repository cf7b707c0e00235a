import type { AuditEntryView } from "@gatehouse/contract/routes";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { auditPagesQuery, auditQuery, type AuditSearch } from "../../api/audit.ts";

const none: readonly AuditEntryView[] = [];

/**
 * The log, page after page. Its key is its own: a live event forgets everything called "audit", and would read fifty pages
 * again. What is new is watched by one entry instead, and fetched when the reader wants it.
 */
export function useAuditLog(search: AuditSearch) {
  const pages = auditPagesQuery(search);
  const log = useInfiniteQuery({
    queryKey: ["audit-log", search],
    queryFn: pages.queryFn as NonNullable<typeof pages.queryFn>,
    initialPageParam: pages.initialPageParam,
    getNextPageParam: pages.getNextPageParam,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
  // An attempt that follows a refused one is "pending" again; what was refused stays on the page until something is read.
  const [refused, setRefused] = useState<Error | null>(null);
  if (log.error !== null && log.error !== refused) setRefused(log.error);
  if (log.isSuccess && refused !== null) setRefused(null);
  const newest = useQuery({ ...auditQuery({ ...search, limit: "1" }), enabled: log.isSuccess }).data?.items[0];
  const entries = useMemo(() => log.data?.pages.flatMap(({ items }) => items) ?? none, [log.data]);
  const isBehind = newest !== undefined && !log.isPlaceholderData && newest.position > (entries[0]?.position ?? 0);
  return { log, entries, refused, newest: isBehind ? newest.position : undefined };
}

/** One entry by its position: for an address that was sent to somebody, far below the first page. */
export function useAuditEntry(position: number | undefined, entries: readonly AuditEntryView[]) {
  const near = entries.find((entry) => entry.position === position);
  const pages = auditPagesQuery({ limit: "1" });
  const far = useInfiniteQuery({
    queryKey: ["audit-entry", String(position)],
    queryFn: pages.queryFn as NonNullable<typeof pages.queryFn>,
    // A cursor is the position before which the next page begins.
    initialPageParam: String((position ?? 0) + 1),
    getNextPageParam: () => undefined,
    enabled: position !== undefined && near === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = far.data?.pages[0]?.items[0];
  return { entry: near ?? (found?.position === position ? found : undefined), far };
}
