import type { PlanFinding, PlanSectionView } from "@gatehouse/contract/routes";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Diff } from "../../ui/Diff.tsx";
import { Mark, type State } from "../../ui/StateMark.tsx";
import { isFolded, numberLines } from "./number-lines.ts";
import styles from "./PlanPage.module.css";

export interface OperationViewProps {
  readonly host: string;
  readonly operation: PlanSectionView["operations"][number];
  readonly findings: readonly PlanFinding[];
}

/** One operation: in words, then beside what is there now, then what the lint says of it. */
export function OperationView({ host, operation: { kind, words, diff }, findings }: OperationViewProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <section className={styles.operation} aria-label={`${kind} on ${host}`}>
      <div className={styles.operationHead}>
        <code>{kind}</code>
        {isFolded(diff) && (
          <Button look="bare" size="small" onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Only what changes" : "All lines"}
          </Button>
        )}
      </div>
      {words.length > 0 && (
        <ul className={styles.words}>
          {words.map((line, at) => (
            <li key={`${at} ${line}`}>{line}</li>
          ))}
        </ul>
      )}
      {diff.length > 0 && <Diff label={`Before and after, ${kind} on ${host}`} lines={numberLines(diff, isWhole)} />}
      {findings.map((finding, at) => (
        <Finding key={`${at} ${finding.code}`} finding={finding} />
      ))}
    </section>
  );
}

const severities: Readonly<Record<PlanFinding["severity"], { readonly state: State; readonly word: string }>> = {
  refuse: { state: "bad", word: "Refused" },
  warn: { state: "warn", word: "Warning" },
  note: { state: "quiet", word: "Note" },
};

function Finding({ finding: { severity, code, says, packet } }: { readonly finding: PlanFinding }) {
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
