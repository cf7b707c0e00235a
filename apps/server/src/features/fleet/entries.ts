import type { AuditAction, AuditDetail, AuditEntry } from "@gatehouse/contract";
import type { RequestFacts } from "../../platform/route/index.ts";

type FleetAction = Extract<AuditAction, `node.${string}` | `enrolment.${string}`>;

export function fleetEntry<Action extends FleetAction>(
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
