import type { PlanFinding } from "@gatehouse/contract/routes";
import { cx } from "../../ui/cx.ts";
import { Mark, type State } from "../../ui/StateMark.tsx";
import styles from "./PlanSections.module.css";

const severities: Readonly<Record<PlanFinding["severity"], { readonly state: State; readonly word: string }>> = {
  refuse: { state: "bad", word: "Refused" },
  warn: { state: "warn", word: "Warning" },
  note: { state: "quiet", word: "Note" },
};

/** What the lint found: how grave it is, its stable name, and the packet where one would be lost. */
export function FindingView({ finding: { severity, code, says, packet } }: { readonly finding: PlanFinding }) {
  const { state, word } = severities[severity];
  return (
    <div className={cx(styles.finding, styles[severity])}>
      <Mark state={state} />
      <p>
        <b>
          {word}, <code>{code}</code>.
        </b>{" "}
        {says}
        {packet !== null && !says.includes(packet) && (
          <>
            {" "}
            Packet: <code className={styles.packet}>{packet}</code>
          </>
        )}
      </p>
    </div>
  );
}
