import type { AuditEntryView } from "@gatehouse/contract/routes";
import { Link } from "../../ui/Link.tsx";
import { Time } from "../../ui/Time.tsx";
import { AuditSentence } from "./AuditSentence.tsx";
import styles from "./AuditLines.module.css";
import { foldRepeats } from "./say-entry.ts";

export interface AuditLinesProps {
  readonly entries: readonly AuditEntryView[];
  readonly nameOf: (actor: string) => string;
  readonly most: number;
  readonly without?: string;
}

/** The newest entries, each with its time and its place in the chain, which leads to it. */
export function AuditLines({ entries, nameOf, most, without }: AuditLinesProps) {
  return (
    <ol className={styles.lines}>
      {foldRepeats(entries)
        .slice(0, most)
        .map(({ entry, times }) => (
          <li key={entry.position}>
            <Time at={entry.at} className={styles.time ?? ""} />
            <AuditSentence entry={entry} times={times} nameOf={nameOf} {...(without !== undefined && { without })} />
            <Link href={`/audit?at=${entry.position}`} look="bare" className={styles.position ?? ""}>
              #{entry.position.toLocaleString("en-GB")}
            </Link>
          </li>
        ))}
    </ol>
  );
}
