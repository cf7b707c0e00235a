import type { Session } from "@gatehouse/contract/routes";
import { fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";

export const sessionsKey = ["sessions"] as const;

/** One's own sessions. */
export const sessionPages = listPages<Session>({ key: sessionsKey, path: "/api/auth/sessions", limit: 100 });

export function endSession(id: string): Promise<undefined> {
  return fetchApi<undefined>("DELETE", `/api/auth/sessions/${encodeURIComponent(id)}`);
}

export function endOtherSessions(): Promise<undefined> {
  return fetchApi<undefined>("DELETE", "/api/auth/sessions");
}
