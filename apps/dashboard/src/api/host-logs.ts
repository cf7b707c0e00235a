import type { HostLogCounts, HostLogLine, hostLogCountsRoute, hostLogsRoute } from "@gatehouse/contract/routes";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";
import { boundsOf, type Stretch } from "./metrics.ts";
import type { CallOf, DataOf } from "./route-call.ts";

export type { HostLogCounts, HostLogLine };

/** Which lines; without a condition all that may be seen. */
export interface LogFilter {
  readonly nodes: readonly string[];
  readonly sources: readonly string[];
  readonly level: "warning" | "error" | undefined;
}

type LogQuestion = Readonly<NonNullable<CallOf<typeof hostLogsRoute>["query"]>>;
export type HostLogPage = DataOf<typeof hostLogsRoute>;

const conditionsOf = ({ nodes, sources, level }: LogFilter) => ({
  node: nodes.join(","),
  source: sources.join(","),
  level,
});

const fetchLogs = (query: LogQuestion, signal?: AbortSignal): Promise<HostLogPage> =>
  fetchApi<typeof hostLogsRoute>("GET", "/api/logs", { query, ...(signal !== undefined && { signal }) });

/** What following asks for: the newest, or what arrived behind a line. */
export const readLogs = (
  { q, ...filter }: LogFilter & { readonly q: string },
  { after, limit }: { readonly after?: string; readonly limit: number },
  signal: AbortSignal,
): Promise<HostLogPage> => fetchLogs({ ...conditionsOf(filter), q, after, limit: String(limit) }, signal);

const pageLines = "200";

/** Page after page, the newest first. What was read stays as it is: new lines would move what somebody reads. */
export const logPagesQuery = ({ q, ...filter }: LogFilter & { readonly q: string }, stretch: Stretch) => ({
  ...listPages(["host-logs", q, filter, stretch], (cursor, signal) =>
    fetchLogs({ ...conditionsOf(filter), ...boundsOf(stretch), q, cursor, limit: pageLines }, signal),
  ),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 60_000,
  placeholderData: keepPreviousData<{ pages: HostLogPage[]; pageParams: (string | undefined)[] } | undefined>,
});

/** How many bars one picture has. */
const bars = "60";

/** Lines are no change that the stream of events tells of; who follows them asks again and again. */
export const logCountsQuery = (filter: LogFilter, stretch: Stretch, everyMs?: number) =>
  queryOptions({
    queryKey: ["host-log-counts", filter, stretch],
    queryFn: ({ signal }): Promise<HostLogCounts> =>
      fetchApi<typeof hostLogCountsRoute>("GET", "/api/logs/counts", {
        query: { ...conditionsOf(filter), ...boundsOf(stretch), bars },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { error } }) => (everyMs === undefined || error !== null ? false : everyMs),
  });

/** One line by its id, for an address that was sent to somebody: none when it is not kept any more. */
export const logLineQuery = (id: string) =>
  queryOptions({
    queryKey: ["host-log-line", id],
    queryFn: async ({ signal }): Promise<HostLogLine | null> => {
      const { items } = await fetchLogs({ cursor: String(Number(id) + 1), limit: "1" }, signal);
      return items.find((line) => line.id === id) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The newest that match, before a moment where one is said: where a list is empty, what there is at all. */
export const newestLogQuery = ({ q, ...filter }: LogFilter & { readonly q: string }, before?: number) =>
  queryOptions({
    queryKey: ["host-log-newest", q, filter, before],
    queryFn: async ({ signal }): Promise<HostLogLine | null> => {
      const to = before === undefined ? undefined : new Date(before).toISOString();
      const question = { ...conditionsOf(filter), q, to, limit: "1" };
      let page = await fetchLogs(question, signal);
      // A search that looked at much in vain ends early, and goes on from there.
      for (let turn = 1; page.items.length === 0 && page.nextCursor !== null && turn < mostTurns; turn += 1) {
        page = await fetchLogs({ ...question, cursor: page.nextCursor }, signal);
      }
      return page.items[0] ?? null;
    },
  });

/** It is a hint beside an empty list: nobody waits long for it. */
const mostTurns = 5;
