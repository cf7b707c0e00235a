import type { auditRoute, NodeMetrics, nodeMetricsRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import type { DataOf } from "./route-call.ts";

export type { NodeMetrics };

/** Which time: the last so many milliseconds, as they go by; or from one moment to another. */
export type Stretch = { readonly lastMs: number } | { readonly from: number; readonly to: number };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What is not longer than this changes before one's eyes; the rest is read again when somebody comes back to it. */
const livelyMs = hourMs;

/**
 * Measured minutes are no change that the stream of events tells of: a new one comes every minute, so every minute is when
 * they are read. A hidden page reads nothing.
 */
const againEvery = (stretch: Stretch) =>
  "lastMs" in stretch && stretch.lastMs <= livelyMs
    ? ({ state: { error } }: { readonly state: { readonly error: Error | null } }) =>
        error === null ? minuteMs : false
    : false;

/** What one node has measured. */
export const nodeMetricsQuery = (id: string, stretch: Stretch, points: number) =>
  queryOptions({
    queryKey: ["metrics", id, stretch, points],
    queryFn: ({ signal }): Promise<NodeMetrics> =>
      fetchApi<typeof nodeMetricsRoute>("GET", "/api/nodes/:id/metrics", {
        params: { id },
        query: { ...boundsOf(stretch), points: String(points) },
        signal,
      }),
    refetchInterval: againEvery(stretch),
  });

/**
 * What plans did to one node in that time, by the audit log: read at the pace of its minutes, and not with every record of the
 * log, which in the middle of a plan for thousands of hosts would be many times a second.
 */
export const nodeChangesQuery = (id: string, stretch: Stretch) =>
  queryOptions({
    queryKey: ["metrics-changes", id, stretch],
    queryFn: ({ signal }): Promise<DataOf<typeof auditRoute>> =>
      fetchApi<typeof auditRoute>("GET", "/api/audit", {
        query: { subject: `node/${id}`, action: "task.", ...boundsOf(stretch), limit: "100" },
        signal,
      }),
    refetchInterval: againEvery(stretch),
  });

/** Without an end where it is now: the server's now counts, and a browser's clock may be ahead of it. */
export function boundsOf(stretch: Stretch): { readonly from: string; readonly to?: string } {
  if ("lastMs" in stretch) return { from: new Date(Date.now() - stretch.lastMs).toISOString() };
  return { from: new Date(stretch.from).toISOString(), to: new Date(stretch.to).toISOString() };
}
