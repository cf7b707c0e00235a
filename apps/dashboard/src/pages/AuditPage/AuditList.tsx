import type { AuditEntryView } from "@gatehouse/contract/routes";
import { useEffect, useMemo, useRef } from "react";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { AuditActor } from "../../widgets/AuditActor/AuditActor.tsx";
import { AuditSubject } from "../../widgets/AuditActor/AuditSubject.tsx";
import type { AuditReader } from "../../widgets/AuditActor/use-audit-reader.ts";
import { actionWords, outcomes } from "../../widgets/audit-words.ts";
import { type AuditFilter, countFilters } from "./audit-filter.ts";
import styles from "./AuditPage.module.css";
import type { useAuditLog } from "./use-audit-log.ts";

export interface AuditListProps {
  readonly log: ReturnType<typeof useAuditLog>["log"];
  readonly entries: readonly AuditEntryView[];
  /** Why the last attempt to read was refused. */
  readonly refused: Error | null;
  readonly reader: AuditReader;
  readonly filter: AuditFilter;
  readonly opened: number | undefined;
  readonly onOpen: (position: number) => void;
  readonly onClear: () => void;
}

export function AuditList({ log, entries, refused, reader, filter, opened, onOpen, onClear }: AuditListProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = log;
  // Rows are drawn again when their columns are others.
  const columns = useMemo(() => columnsFor(reader), [reader]);
  const end = useRef<HTMLDivElement>(null);
  const mayGoOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    const element = end.current;
    if (element === null || !mayGoOn) return;
    // Asked for two screens early, so that a steady scroll never meets the end.
    // A busy page is told several changes at once: the last of them holds.
    const onSeen = (seen: readonly IntersectionObserverEntry[]) => {
      if (seen.at(-1)?.isIntersecting === true) void fetchNextPage();
    };
    const watch = new IntersectionObserver(onSeen, { rootMargin: "1600px" });
    watch.observe(element);
    return () => watch.disconnect();
  }, [mayGoOn, fetchNextPage, entries.length]);

  const refusal = refused !== null && !isFetchNextPageError && (
    <ApiErrorView
      error={refused}
      title="The audit log could not be read"
      onRetry={() => void log.refetch()}
      retrying={log.isFetching}
      size={entries.length === 0 ? "block" : "inline"}
    />
  );
  if (entries.length === 0 && refused !== null) return refusal;
  if (log.isPending) return <Skeleton shape="rows" count={14} columns={6} label="Reading the audit log" />;
  if (entries.length === 0) {
    return countFilters(filter) === 0 ? (
      <Empty title="The log is empty">
        Every change, refusal and failure will stand here, each linked to the one before.
      </Empty>
    ) : (
      <Empty title="No entry matches" action={<Button onClick={onClear}>Clear the filter</Button>}>
        All conditions have to hold together; words match the beginnings of words.
      </Empty>
    );
  }
  return (
    <>
      {refusal}
      <Table
        label="Audit entries, the newest first"
        columns={columns}
        rows={entries}
        rowKey={({ position }) => String(position)}
        onRow={({ position }) => onOpen(position)}
        selectedKey={opened === undefined ? undefined : String(opened)}
        stale={log.isPlaceholderData}
      />
      <div ref={end} className={styles.end} role="status">
        {isFetchingNextPage && "Reading older entries…"}
        {!hasNextPage &&
          `${wholeNumber.format(entries.length)} ${entries.length === 1 ? "entry" : "entries"}; the log has no older match.`}
      </div>
      {isFetchNextPageError && (
        <ApiErrorView
          error={log.error}
          title="Older entries could not be read"
          onRetry={() => void fetchNextPage()}
          retrying={isFetchingNextPage}
        />
      )}
    </>
  );
}

// Made once: a formatter costs far more to make than to use, and a scroll draws thirty rows a frame.
const wholeNumber = new Intl.NumberFormat("en-GB");

const columnsFor = (reader: AuditReader): readonly Column<AuditEntryView>[] => [
  {
    key: "position",
    head: "Position",
    least: 76,
    drop: 2,
    width: "narrow",
    phone: "hidden",
    cell: ({ position }) => <span className={styles.position}>#{wholeNumber.format(position)}</span>,
  },
  {
    key: "at",
    head: "When",
    least: 92,
    width: "narrow",
    phone: "time",
    cell: ({ at }) => (
      <span className={styles.when}>
        <Time at={at} />
      </span>
    ),
  },
  {
    key: "actor",
    head: "Who",
    least: 120,
    phone: "line",
    cell: ({ actor }) => <AuditActor actor={actor} reader={reader} />,
  },
  {
    key: "action",
    head: "What",
    least: 150,
    phone: "title",
    cell: ({ action, outcome }) => (
      <>
        <b title={action}>{actionWords(action)}</b>{" "}
        {outcome !== "done" && (
          <span className={styles.phoneOutcome}>
            <Outcome outcome={outcome} />
          </span>
        )}
      </>
    ),
  },
  {
    key: "subject",
    head: "On what",
    least: 160,
    phone: "line",
    cell: ({ subject }) => <AuditSubject {...{ subject, reader }} oneLine />,
  },
  {
    key: "outcome",
    head: "Outcome",
    least: 92,
    width: "narrow",
    phone: "hidden",
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
  },
  {
    key: "address",
    head: "From",
    least: 120,
    drop: 1,
    width: "narrow",
    phone: "hidden",
    cell: ({ address }) => (address === null ? null : <code className={styles.address}>{address}</code>),
  },
];

function Outcome({ outcome }: Pick<AuditEntryView, "outcome">) {
  return (
    <span className={styles.when}>
      <StateMark state={outcomes[outcome].state} word={outcomes[outcome].word} />
    </span>
  );
}
