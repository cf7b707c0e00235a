import { useState } from "react";
import { emptyChanges, namedTargets } from "../../widgets/ChangeFields/host-change.ts";
import { WriteFields } from "../../widgets/ChangeFields/WriteFields.tsx";
import { PlanChangeDialog } from "./PlanChangeDialog.tsx";
import type { HostDialogProps } from "./RestartServiceDialog.tsx";

/** A plan that writes one text file of the host, in place of what is there. */
export function WriteFileDialog({ node, onClose }: HostDialogProps) {
  const named = namedTargets(node.facts, "file.write");
  const [change, setChange] = useState(emptyChanges["file.write"]);
  return (
    <PlanChangeDialog node={node} title={`Write a file on ${node.name}`} size="wide" change={change} onClose={onClose}>
      {(wrong) => <WriteFields change={change} wrong={wrong} named={named} onChange={setChange} />}
    </PlanChangeDialog>
  );
}
