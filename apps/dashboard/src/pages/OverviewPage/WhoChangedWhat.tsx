import type { AuditEntryView } from "@gatehouse/contract/routes";
import type { UseQueryResult } from "@tanstack/react-query";
import type { AuditCheck, AuditEntries } from "../../api/audit.ts";
import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { AuditLines } from "../../widgets/AuditSentence/AuditLines.tsx";
import { chainVerdict, newerWords } from "../../widgets/chain-verdict.ts";
import { useWho } from "../../widgets/AuditSentence/use-who.ts";
import styles from "./OverviewPage.module.css";

export interface WhoChangedWhatProps {
  readonly audit: UseQueryResult<AuditEntries>;
  readonly check: UseQueryResult<AuditCheck>;
  /** A host says that this is not the log that it saw: then it counts for nothing that its links fit. */
  readonly isDisbelieved: boolean;
}

const none: readonly AuditEntryView[] = [];

export function WhoChangedWhat({ audit, check, isDisbelieved }: WhoChangedWhatProps) {
  const entries = audit.data?.items ?? none;
  const nameOf = useWho(entries);
  return (
    <Section
      title="Who changed what"
      aside={
        isDisbelieved ? (
          <StateMark state="bad" word="Not the log that hosts saw" size={9} />
        ) : (
          <VerifiedTo check={check} />
        )
      }
      more={{ href: "/audit", label: "The whole log" }}
    >
      {audit.isPending && <Skeleton shape="list" count={6} label="Reading the audit log" />}
      {audit.isError && (
        <ApiErrorView
          error={audit.error}
          title="The audit log could not be read"
          size={audit.data === undefined ? "block" : "inline"}
          onRetry={() => void audit.refetch()}
          retrying={audit.isFetching}
        />
      )}
      {audit.data?.items.length === 0 && <p className={styles.none}>Nothing was recorded yet.</p>}
      {entries.length > 0 && <AuditLines entries={changesIn(entries)} nameOf={nameOf} most={9} />}
    </Section>
  );
}

/** What changes nothing by itself when it goes well: questions, and the runtime that follows a move or a start. */
const quiet: readonly string[] = ["plugin.asked", "plugin.answered", "plugin.armed", "plugin.detached"];

/** What is quiet stands in the log, and here only when there is nothing else. */
function changesIn(entries: readonly AuditEntryView[]): readonly AuditEntryView[] {
  const changes = entries.filter(({ action, outcome }) => !quiet.includes(action) || outcome !== "done");
  return changes.length === 0 ? entries : changes;
}

function VerifiedTo({ check: { data, isError } }: Pick<WhoChangedWhatProps, "check">) {
  if (data === undefined) return isError ? <span>The state of the chain could not be read</span> : null;
  const verdict = chainVerdict(data);
  if (verdict.kind === "broken") {
    return (
      <span>
        <StateMark state="bad" word="Chain broken at" size={9} /> <Position at={verdict.broken.position} />
      </span>
    );
  }
  if (verdict.kind !== "verified") return <StateMark state="run" word="Checking the chain" size={9} />;
  return (
    <span>
      <StateMark state="ok" word="Chain verified to" size={9} /> <Position at={verdict.position} />,{" "}
      <Time at={verdict.at} />
      {newerWords(verdict.newer)}
    </span>
  );
}

function Position({ at }: { readonly at: number }) {
  return (
    <Link href={`/audit?at=${at}`} look="quiet">
      #{at.toLocaleString("en-GB")}
    </Link>
  );
}
