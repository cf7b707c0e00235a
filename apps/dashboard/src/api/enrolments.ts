import type {
  agentBinariesRoute,
  createEnrolmentsRoute,
  Enrolment,
  enrolmentsRoute,
  NewEnrolment,
  revokeEnrolmentRoute,
} from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import type { CallOf, DataOf } from "./route-call.ts";

export type { Enrolment, NewEnrolment };
export type EnrolmentWish = CallOf<typeof createEnrolmentsRoute>["body"];
export type AgentBinaries = DataOf<typeof agentBinariesRoute>;

export function createEnrolments(wish: EnrolmentWish, key: string): Promise<{ items: NewEnrolment[] }> {
  const headers = { "idempotency-key": key };
  return fetchApi<typeof createEnrolmentsRoute>("POST", "/api/nodes/enrolments", { body: wish, headers });
}

export function revokeEnrolment(id: string): Promise<undefined> {
  return fetchApi<typeof revokeEnrolmentRoute>("DELETE", "/api/nodes/enrolments/:id", { params: { id } });
}

/** How often somebody who waits for a host looks. */
export const whileWaitingMs = 2_000;

/** These codes among all that the server shows, as they stand now. */
export const enrolmentsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["enrolments", ids],
    queryFn: async ({ signal }): Promise<readonly Enrolment[]> => {
      const found: Enrolment[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null && found.length < ids.length) {
        const query = { limit: "200", cursor };
        const answer: { items: Enrolment[]; nextCursor: string | null } = await fetchApi<typeof enrolmentsRoute>(
          "GET",
          "/api/nodes/enrolments",
          { signal, query },
        );
        found.push(...answer.items.filter(({ id }) => ids.includes(id)));
        cursor = answer.nextCursor;
      }
      return found;
    },
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.some(({ state }) => state === "open") ? whileWaitingMs : false,
  });

/** The agent that this server hands out, with the digests it says it has. */
export const agentBinariesQuery = queryOptions({
  queryKey: ["agent-binaries"],
  queryFn: ({ signal }) => fetchApi<typeof agentBinariesRoute>("GET", "/api/agent/download", { signal }),
});
