import type { AuditEntryView, auditVerifyRoute } from "@gatehouse/contract/routes";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { output } from "zod";
import { fetchApi } from "./client.ts";
import type { List } from "./list.ts";

export type AuditVerification = output<(typeof auditVerifyRoute)["responses"][200]>;

/** All conditions hold together; `action` may be a noun with a dot for all its actions. Times are ISO. */
export interface AuditSearch {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly text?: string | undefined;
  readonly limit?: number | undefined;
}

const searchAudit = (search: AuditSearch, cursor: string | undefined, signal: AbortSignal) =>
  fetchApi<List<AuditEntryView>>("GET", "/api/audit", { signal, query: { ...search, cursor } });

/** The first page, the newest first. */
export const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ["audit", "page", search],
    queryFn: ({ signal }) => searchAudit(search, undefined, signal),
  });

/** What the overview reads. */
export const overviewEntries: AuditSearch = { limit: 100 };

/** Page after page, for a list that goes on. */
export const auditPagesQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ["audit", "pages", search],
    queryFn: ({ signal, pageParam }) => searchAudit(search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** Walks the whole chain. The server answers it a few times a minute only, so what was found outlives a reload. */
export const auditVerifyQuery = queryOptions({
  queryKey: ["audit-verification"],
  queryFn: async ({ signal }) => {
    const found = await fetchApi<AuditVerification>("GET", "/api/audit/verify", { signal });
    localStorage.setItem(keptVerification, JSON.stringify({ at: Date.now(), found }));
    return found;
  },
  initialData: () => readVerification()?.found,
  initialDataUpdatedAt: () => readVerification()?.at,
  staleTime: 5 * 60_000,
  refetchOnWindowFocus: false,
  retry: false,
});

const keptVerification = "gatehouse-chain";

function readVerification(): { readonly at: number; readonly found: AuditVerification } | undefined {
  const kept = localStorage.getItem(keptVerification);
  return kept === null ? undefined : (JSON.parse(kept) as ReturnType<typeof readVerification>);
}
