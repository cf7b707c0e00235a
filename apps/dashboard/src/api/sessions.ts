import type { endOtherSessionsRoute, endSessionRoute, sessionsRoute } from "@gatehouse/contract/routes";
import { fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";

export const sessionsKey = ["sessions"] as const;

/** One's own sessions. */
export const sessionPages = listPages(sessionsKey, (cursor, signal) =>
  fetchApi<typeof sessionsRoute>("GET", "/api/auth/sessions", { signal, query: { limit: "100", cursor } }),
);

export function endSession(id: string): Promise<undefined> {
  return fetchApi<typeof endSessionRoute>("DELETE", "/api/auth/sessions/:id", { params: { id } });
}

export function endOtherSessions(): Promise<undefined> {
  return fetchApi<typeof endOtherSessionsRoute>("DELETE", "/api/auth/sessions");
}
