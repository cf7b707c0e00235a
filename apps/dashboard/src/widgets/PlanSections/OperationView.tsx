import type { PlanFinding, PlanSectionView } from "@gatehouse/contract/routes";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Diff } from "../../ui/Diff.tsx";
import { FindingView } from "./FindingView.tsx";
import { isFolded, numberLines } from "./number-lines.ts";
import styles from "./PlanSections.module.css";

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
        <FindingView key={`${at} ${finding.code}`} finding={finding} />
      ))}
    </section>
  );
}
