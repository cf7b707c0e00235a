import type { UseQueryResult } from "@tanstack/react-query";
import type { AuditEntries } from "../../api/audit.ts";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { AuditLines } from "../../widgets/AuditSentence/AuditLines.tsx";
import styles from "./PluginPage.module.css";

export interface PluginHistoryProps {
  readonly id: string;
  readonly audit: UseQueryResult<AuditEntries>;
  readonly nameOf: (actor: string) => string;
}

/** Everything that ever happened to it, as the audit log has it. */
export function PluginHistory({ id, audit, nameOf }: PluginHistoryProps) {
  const more = { href: `/audit?subject=${encodeURIComponent(`plugin/${id}`)}`, label: "In the audit log" };
  return (
    <Section title="History" more={more}>
      {audit.isPending && <Skeleton shape="list" count={4} label="Reading the history" />}
      {audit.isError && (
        <ApiErrorView error={audit.error} title="The history could not be read" onRetry={() => void audit.refetch()} />
      )}
      {audit.data?.items.length === 0 && <p className={styles.empty}>The log holds nothing about it.</p>}
      {audit.data !== undefined && <AuditLines entries={audit.data.items} nameOf={nameOf} most={12} without={id} />}
    </Section>
  );
}
