import type { UseQueryResult } from "@tanstack/react-query";
import type { AuditEntries } from "../../api/audit.ts";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { AuditLines } from "../../widgets/AuditSentence/AuditLines.tsx";
import styles from "./NodePage.module.css";

export interface NodeTimelineProps {
  readonly id: string;
  readonly name: string;
  /** `undefined` for somebody who may not read the log. */
  readonly audit: UseQueryResult<AuditEntries> | undefined;
  readonly nameOf: (actor: string) => string;
}

const most = 40;

/** Everything that ever touched it, as the audit log has it. */
export function NodeTimeline({ id, name, audit, nameOf }: NodeTimelineProps) {
  const title = "Everything that touched it";
  if (audit === undefined) {
    return (
      <Section title={title}>
        <p className={styles.empty}>
          This stands in the audit log, which your role does not read: that needs <code>audit:read</code>.
        </p>
      </Section>
    );
  }
  const more = { href: `/audit?subject=${encodeURIComponent(`node/${id}`)}`, label: "In the audit log" };
  return (
    <Section title={title} more={more}>
      {audit.isPending && <Skeleton shape="list" count={5} label="Reading what touched it" />}
      {audit.isError && (
        <ApiErrorView
          error={audit.error}
          title="What touched it could not be read"
          size={audit.data === undefined ? "block" : "inline"}
          onRetry={() => void audit.refetch()}
          retrying={audit.isFetching}
        />
      )}
      {audit.data?.items.length === 0 && <p className={styles.empty}>The log holds nothing about it.</p>}
      {audit.data !== undefined && <AuditLines entries={audit.data.items} nameOf={nameOf} most={most} without={name} />}
    </Section>
  );
}
