import type { Node } from "@gatehouse/contract/routes";
import { Button } from "../../ui/Button.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import type { ProgramFacts } from "../../widgets/ChangeFields/host-change.ts";
import { Named } from "../../widgets/PlanHosts/HostPicker.tsx";
import styles from "./NewPlanPage.module.css";

export interface NotForProps {
  readonly hosts: readonly Pick<Node, "id" | "name" | "facts">[];
  readonly program: Pick<ProgramFacts, "name" | "version" | "architecture"> | null;
  readonly onLeaveOut: (ids: readonly string[]) => void;
}

/** A host finds that out too, but only when the plan is approved and sent: it is said where it was chosen. */
export function NotFor({ hosts, program, onLeaveOut }: NotForProps) {
  const others = hosts.filter(({ facts }) => facts !== null && program !== null && facts.arch !== program.architecture);
  if (program === null || others.length === 0) return null;
  const arches = [...new Set(others.map(({ facts }) => facts?.arch))].join(" and ");
  return (
    <div className={styles.fault}>
      <Mark state="warn" size={9} />
      <div>
        <b>
          <Named nodes={others} /> {others.length === 1 ? "is" : "are"} {arches}.
        </b>{" "}
        {program.name} {program.version} is for {program.architecture}, and no other host takes it.{" "}
        <Button look="bare" size="small" onClick={() => onLeaveOut(others.map(({ id }) => id))}>
          Leave {others.length === 1 ? "it" : "them"} out
        </Button>
      </div>
    </div>
  );
}
