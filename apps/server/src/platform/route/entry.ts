import type { AuditAction, AuditDetail, AuditEntry } from "@gatehouse/contract";
import type { RequestFacts } from "./principal.ts";

/** The entry of something that a request has done. */
export function entryOf<Action extends AuditAction>(
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
