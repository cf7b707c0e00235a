import type { AuditAction, AuditDetail, AuditEntry } from "@gatehouse/contract";
import type { Principal, RequestFacts } from "../../platform/route/index.ts";

/** A user acts under their id, a token under its own: whoever reads the log sees which of the two it was. */
export function actorOf(principal: Pick<Principal, "id" | "credential">): string {
  return principal.credential.kind === "token" ? `token:${principal.credential.id}` : principal.id;
}

/** The actions whose entries name the user whom they concern. */
type ActionOnUser = {
  [Action in AuditAction]: AuditDetail<Action> extends { readonly userId: string } ? Action : never;
}[AuditAction];

export function entryOf<Action extends ActionOnUser>(
  request: Pick<RequestFacts, "now" | "requestId" | "clientAddress">,
  what: {
    readonly actor: string;
    readonly action: Action;
    readonly subject: string;
    readonly detail: AuditDetail<Action>;
  },
): AuditEntry<Action> {
  return { at: request.now, ...what, outcome: "done", requestId: request.requestId, address: request.clientAddress };
}
