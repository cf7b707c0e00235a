import type { AuditAction, AuditDetail, AuditEntry } from "@gatehouse/contract";
import type { RequestFacts } from "../../platform/route/index.ts";

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
