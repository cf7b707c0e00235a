import type { PlanSectionView } from "@gatehouse/contract/routes";
import { Section } from "../../ui/Section.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import styles from "./NewPlanPage.module.css";
import { reachableOf } from "./reachable.ts";

export interface ReachableProps {
  readonly sections: readonly PlanSectionView[];
  /** Not all hosts are shown yet. */
  readonly isPartly: boolean;
}

/** Which ways the lint has followed through the new rules, and whether each is kept. */
export function Reachable({ sections, isPartly }: ReachableProps) {
  return (
    <Section
      title="What stays reachable"
      aside={isPartly ? "On the hosts shown below" : "Followed through the rules of each host, not asserted"}
    >
      <table className={styles.paths}>
        <thead>
          <tr>
            <th scope="col">Path</th>
            <th scope="col">Kept by</th>
            <th scope="col">Hosts</th>
          </tr>
        </thead>
        <tbody>
          {reachableOf(sections).map(({ path, state, says, code, kept, of }) => (
            <tr key={path} className={styles[state]}>
              <th scope="row">
                <Mark state={state} size={9} /> {path}
              </th>
              <td>
                {code !== null && (
                  <b>
                    {state === "bad" ? "Lost" : "Look"}, <code>{code}</code>.{" "}
                  </b>
                )}
                {says}
              </td>
              <td>
                {kept.toLocaleString("en-GB")} of {of.toLocaleString("en-GB")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
