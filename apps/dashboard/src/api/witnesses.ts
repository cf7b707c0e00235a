import type { auditWitnessesRoute, auditWitnessRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import type { CallOf, DataOf } from "./route-call.ts";

export type AuditWitnesses = DataOf<typeof auditWitnessesRoute>;
export type SignedEnd = DataOf<typeof auditWitnessRoute>;

const readWitnesses = (query: NonNullable<CallOf<typeof auditWitnessesRoute>["query"]>, signal: AbortSignal) =>
  fetchApi<typeof auditWitnessesRoute>("GET", "/api/audit/witnesses", { signal, query });

/** The most that one answer holds; what is counted counts all of them. */
const most = "500";

/** Hosts that do not take this log for the one that they saw. That is a record, so every page is told when it changes. */
export const disbeliefQuery = queryOptions({
  queryKey: ["audit-witnesses", "refuses"],
  queryFn: ({ signal }) => readWitnesses({ state: "refuses", limit: most }, signal),
});

/** What hosts hold of the log. They get a head every minute, which is no change of anything: it is read while it is looked at. */
export const witnessesQuery = queryOptions({
  queryKey: ["audit-witnesses", "every"],
  queryFn: ({ signal }) => readWitnesses({ limit: most }, signal),
  refetchInterval: 30_000,
});

/** The end of the log as the server signs it when it is asked. */
export const signedEndQuery = queryOptions({
  queryKey: ["audit-signed-end"],
  queryFn: ({ signal }) => fetchApi<typeof auditWitnessRoute>("GET", "/api/audit/witness", { signal }),
});
