import type { auditCheckRoute, auditRoute, auditVerifyRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";
import type { CallOf, DataOf } from "./route-call.ts";

export type AuditEntries = DataOf<typeof auditRoute>;
export type AuditCheck = DataOf<typeof auditCheckRoute>;
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

/** What users are called, for whoever reads the log and not the list of users. */
export const namesInLogQuery = queryOptions({
  queryKey: ["names-in-log"],
  queryFn: ({ signal }) => searchAudit({ action: "user.", limit: "200" }, undefined, signal),
});

/** What the overview reads. */
export const overviewEntries: AuditSearch = { limit: "100" };

/** Page after page, for a list that goes on. */
export const auditPagesQuery = (search: AuditSearch) =>
  listPages(["audit", search], (cursor, signal) => searchAudit(search, cursor, signal));

/** What the server found by itself and how far it got. It reads what is new every minute, which is no change of anything. */
export const auditCheckQuery = queryOptions({
  queryKey: ["audit-check"],
  queryFn: ({ signal }) => fetchApi<typeof auditCheckRoute>("GET", "/api/audit/check", { signal }),
  refetchInterval: ({ state: { data } }) => (data?.state === "checking" ? 2_000 : data?.newer === 0 ? false : 30_000),
});

/**
 * Walks the whole chain at once. The server answers it a few times a minute only, so a person starts it; what it finds goes
 * into the server's own verdict and is kept nowhere else.
 */
export const verifyAudit = () => fetchApi<typeof auditVerifyRoute>("GET", "/api/audit/verify");
