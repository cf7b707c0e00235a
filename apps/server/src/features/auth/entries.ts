import type { JsonObject } from "@gatehouse/base";
import type { AuditEntry } from "@gatehouse/store";
import type { Principal, RequestFacts } from "../../platform/route/index.ts";

/** A user acts under their id, a token under its own: whoever reads the log sees which of the two it was. */
export function actorOf(principal: Pick<Principal, "id" | "credential">): string {
  return principal.credential.kind === "token" ? `token:${principal.credential.id}` : principal.id;
}

/**
 * What every audit entry of identity says. `userId` is the user whom it concerns and `ended` the sessions and tokens
 * that ended by it: live streams are ended by these two (see watch.ts), so a change that names neither would let them run.
 */
export interface Concern extends JsonObject {
  readonly userId: string;
}

export function entryOf(
  request: Pick<RequestFacts, "now" | "requestId" | "clientAddress">,
  what: { readonly actor: string; readonly action: string; readonly subject: string; readonly detail: Concern },
): AuditEntry {
  return { at: request.now, ...what, outcome: "done", requestId: request.requestId, address: request.clientAddress };
}
