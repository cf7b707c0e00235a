import type { Node } from "@gatehouse/contract/routes";
import { useState } from "react";
import { Field } from "../../ui/Field.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { namedTargets } from "./host-change.ts";
import { PlanChangeDialog } from "./PlanChangeDialog.tsx";

export interface HostDialogProps {
  readonly node: Node;
  readonly onClose: () => void;
}

/** A plan that restarts one service of the host. */
export function RestartServiceDialog({ node, onClose }: HostDialogProps) {
  const named = namedTargets(node.facts, "service.restart");
  // One that is allowed alone is the one that is meant.
  const [unit, setUnit] = useState(named.length === 1 ? (named[0] ?? "") : "");
  const wanted = unit.trim();
  const wrong = wanted.endsWith(".service") ? undefined : "Name the service whole, such as nginx.service.";
  return (
    <PlanChangeDialog
      node={node}
      title={`Restart a service on ${node.name}`}
      change={{ kind: "service.restart", unit: wanted }}
      isWrong={wrong !== undefined}
      onClose={onClose}
    >
      {(isTried) => (
        <Field
          label="Service"
          hint={named.length === 0 ? "Such as nginx.service." : `Its ceiling names ${named.join(", ")}.`}
          error={isTried && wrong}
        >
          <TextInput
            mono
            value={unit}
            maxLength={128}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setUnit(event.target.value)}
          />
        </Field>
      )}
    </PlanChangeDialog>
  );
}
