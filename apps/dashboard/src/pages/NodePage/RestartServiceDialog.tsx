import type { Node } from "@gatehouse/contract/routes";
import { useState } from "react";
import { emptyChanges, namedTargets, type RestartChange } from "../../widgets/ChangeFields/host-change.ts";
import { RestartFields } from "../../widgets/ChangeFields/RestartFields.tsx";
import { PlanChangeDialog } from "./PlanChangeDialog.tsx";

export interface HostDialogProps {
  readonly node: Node;
  readonly onClose: () => void;
}

/** A plan that restarts one service of the host. */
export function RestartServiceDialog({ node, onClose }: HostDialogProps) {
  const named = namedTargets(node.facts, "service.restart");
  // One that is allowed alone is the one that is meant.
  const [change, setChange] = useState<RestartChange>({
    ...emptyChanges["service.restart"],
    unit: named.length === 1 ? (named[0] ?? "") : "",
  });
  return (
    <PlanChangeDialog node={node} title={`Restart a service on ${node.name}`} change={change} onClose={onClose}>
      {(wrong) => <RestartFields change={change} wrong={wrong} named={named} onChange={setChange} />}
    </PlanChangeDialog>
  );
}
