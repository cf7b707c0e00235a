import type { Node } from "@gatehouse/contract/routes";
import { Button } from "../../ui/Button.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { type NamedChange, raiseCommandFor } from "../../widgets/ChangeFields/host-change.ts";
import { Named } from "../../widgets/PlanHosts/HostPicker.tsx";
import styles from "./NewPlanPage.module.css";

export interface NotNamedProps {
  readonly hosts: readonly Pick<Node, "id" | "name" | "facts">[];
  readonly change: NamedChange;
  readonly onLeaveOut: (ids: readonly string[]) => void;
}

/** A host says nothing of what its root has not named, and then there is no plan: it is said where it was typed. */
export function NotNamed({ hosts, change, onLeaveOut }: NotNamedProps) {
  const without = hosts.filter(({ facts }) => raiseCommandFor(facts, change) !== undefined);
  const [first] = without;
  if (first === undefined) return null;
  return (
    <div className={styles.fault}>
      <Mark state="warn" size={9} />
      <div>
        <b>
          The ceiling of <Named nodes={without} /> does not name it.
        </b>{" "}
        {without.length === 1 ? "The host refuses" : "They refuse"} to say what{" "}
        {without.length === 1 ? "it is" : "they are"} like. Root {without.length === 1 ? "there" : `of ${first.name}`}{" "}
        can allow it: <CopyText text={raiseCommandFor(first.facts, change) ?? ""} label="command" whole />
        <Button look="bare" size="small" onClick={() => onLeaveOut(without.map(({ id }) => id))}>
          Leave {without.length === 1 ? "it" : "them"} out
        </Button>
      </div>
    </div>
  );
}
