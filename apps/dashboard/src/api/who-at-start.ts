import type { WhoAmI, whoAmIRoute } from "@gatehouse/contract/routes";
import { fetchApi } from "./client.ts";

let asked: Promise<WhoAmI> | undefined;

/** Asks before the rest of the dashboard is loaded: no page can be drawn without the answer. */
export function askWhoAtStart(): void {
  asked = fetchWho();
  // Whoever takes the answer sees the refusal.
  asked.catch(() => undefined);
}

/** The answer that was asked for at the start, once; afterwards a new one. */
export function takeWho(signal?: AbortSignal): Promise<WhoAmI> {
  const answer = asked ?? fetchWho(signal);
  asked = undefined;
  return answer;
}

function fetchWho(signal?: AbortSignal): Promise<WhoAmI> {
  return fetchApi<typeof whoAmIRoute>("GET", "/api/auth/whoami", {
    asksNobody: true,
    ...(signal !== undefined && { signal }),
  });
}
