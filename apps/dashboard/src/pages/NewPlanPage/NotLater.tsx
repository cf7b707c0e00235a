import type { Node } from "@gatehouse/contract/routes";
import { Button } from "../../ui/Button.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { isLater } from "../../widgets/Fleet/agent-builds.ts";
import { Named } from "../../widgets/PlanHosts/HostPicker.tsx";
import styles from "./NewPlanPage.module.css";

export interface NotLaterProps {
  readonly hosts: readonly Pick<Node, "id" | "name" | "facts">[];
  readonly release: { readonly version: string };
  readonly onLeaveOut: (ids: readonly string[]) => void;
}

/** No host goes back to an earlier agent, or takes the one that it has: it is said where it was chosen. */
export function NotLater({ hosts, release, onLeaveOut }: NotLaterProps) {
  const others = hosts.filter(({ facts }) => facts !== null && !isLater(release.version, facts.agentVersion));
  if (others.length === 0) return null;
  const versions = [...new Set(others.map(({ facts }) => facts?.agentVersion))].join(" and ");
  return (
    <div className={styles.fault}>
      <Mark state="warn" size={9} />
      <div>
        <b>
          <Named nodes={others} /> {others.length === 1 ? "runs" : "run"} {versions}.
        </b>{" "}
        No host goes back: the release has to be later.{" "}
        <Button look="bare" size="small" onClick={() => onLeaveOut(others.map(({ id }) => id))}>
          Leave {others.length === 1 ? "it" : "them"} out
        </Button>
      </div>
    </div>
  );
}
