import type { auditRoute, auditVerifyRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";
import type { CallOf, DataOf } from "./route-call.ts";

export type AuditEntries = DataOf<typeof auditRoute>;
export type AuditVerification = DataOf<typeof auditVerifyRoute>;

/** All conditions hold together; `action` may be a noun with a dot for all its actions. Times are ISO. */
export type AuditSearch = Readonly<Omit<NonNullable<CallOf<typeof auditRoute>["query"]>, "cursor">>;

const searchAudit = (search: AuditSearch, cursor: string | undefined, signal: AbortSignal) =>
  fetchApi<typeof auditRoute>("GET", "/api/audit", { signal, query: { ...search, cursor } });

/** The first page, the newest first. */
export const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ["audit", "page", search],
    queryFn: ({ signal }) => searchAudit(search, undefined, signal),
  });

/** What the overview reads. */
export const overviewEntries: AuditSearch = { limit: "100" };

/** Page after page, for a list that goes on. */
export const auditPagesQuery = (search: AuditSearch) =>
  listPages(["audit", search], (cursor, signal) => searchAudit(search, cursor, signal));

/** Walks the whole chain. The server answers it a few times a minute only, so what was found outlives a reload. */
export const auditVerifyQuery = queryOptions({
  queryKey: ["audit-verification"],
  queryFn: async ({ signal }) => {
    const found = await fetchApi<typeof auditVerifyRoute>("GET", "/api/audit/verify", { signal });
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
