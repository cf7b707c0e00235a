import { useQuery } from "@tanstack/react-query";
import { auditQuery } from "../../api/audit.ts";
import { useMay } from "../../api/auth.ts";
import type { HostLogLine } from "../../api/host-logs.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { AuditLines } from "../../widgets/AuditSentence/AuditLines.tsx";
import { useWho } from "../../widgets/AuditSentence/use-who.ts";
import { metricsHref } from "../../widgets/Measured/metrics-address.ts";
import { LineText } from "./LineText.tsx";
import styles from "./LogsPage.module.css";
import { commandForDropped, sayDropped, signOf } from "./say-logs.ts";

export interface LineFactsProps {
  readonly line: HostLogLine;
  readonly nameOf: (id: string) => string;
}

const minuteMs = 60_000;
/** To either side of the line, in the charts. */
const aroundMs = 30 * minuteMs;
const unmarked = { query: "", words: [], marks: [] };

export function LineFacts({ line, nameOf }: LineFactsProps) {
  const [maySeeNodes, mayAudit] = [useMay("node:read"), useMay("audit:read")];
  const { at, node, source, level, text, dropped } = line;
  const moment = Date.parse(at);
  const minute = Math.floor(moment / minuteMs) * minuteMs;
  const name = <code>{nameOf(node)}</code>;
  const state = signOf(level);
  const charts = metricsHref({
    nodes: [node],
    range: "own",
    stretch: { from: minute - aroundMs, to: minute + aroundMs },
    at: minute,
  });
  return (
    <div className={styles.facts}>
      <Facts
        items={[
          { label: "When", value: <Time at={at} absolute />, note: <Time at={at} /> },
          {
            label: "Node",
            value: maySeeNodes ? <Link href={`/nodes/${node}`}>{name}</Link> : name,
            note: maySeeNodes && (
              <Link href={charts} look="quiet" className={styles.charts}>
                Metrics around that minute
              </Link>
            ),
          },
          { label: source.startsWith("/") ? "File" : "Unit", value: <code>{source}</code> },
          ...(dropped === null
            ? [
                {
                  label: "Level",
                  value:
                    state === undefined ? (
                      (level ?? "The source says none.")
                    ) : (
                      <StateMark state={state} word={level ?? ""} />
                    ),
                },
              ]
            : []),
        ]}
      />
      {dropped === null ? (
        <div className={styles.whole}>
          <LineText text={text} wanted={unmarked} />
          <CopyButton text={text} label="line" />
        </div>
      ) : (
        <Dropped line={line} nameOf={nameOf} />
      )}
      {mayAudit && <AuditOfMinute from={minute} />}
    </div>
  );
}

function Dropped({ line, nameOf }: LineFactsProps) {
  const { before, after } = sayDropped(line);
  const command = commandForDropped(line);
  return (
    <div className={styles.dropped}>
      <p>
        {before}
        <code>{nameOf(line.node)}</code>
        {after}
      </p>
      {command !== undefined && (
        <>
          <p className={styles.fine}>Root finds them on the host</p>
          <div className={styles.shell}>
            <code>{command}</code>
            <CopyButton text={command} label="command" />
          </div>
        </>
      )}
    </div>
  );
}

const shownEntries = 6;

/** What was changed in the same minute, by anybody anywhere: the cause of a line is often elsewhere. */
function AuditOfMinute({ from }: { readonly from: number }) {
  const bounds = { from: new Date(from).toISOString(), to: new Date(from + minuteMs).toISOString() };
  const read = useQuery(auditQuery({ ...bounds, limit: "20" }));
  const entries = read.data?.items ?? [];
  const nameOf = useWho(entries);
  return (
    <Section
      title="In the audit log, this minute"
      more={{ href: `/audit?from=${bounds.from}&to=${bounds.to}`, label: "Open" }}
    >
      {read.isPending && <Skeleton count={2} label="Reading what happened then" />}
      {read.isError && (
        <ApiErrorView
          error={read.error}
          title="What happened then could not be read"
          size="inline"
          onRetry={() => void read.refetch()}
        />
      )}
      {read.data !== undefined && entries.length === 0 && <p className={styles.fine}>Nothing was changed.</p>}
      {entries.length > 0 && <AuditLines entries={entries} nameOf={nameOf} most={shownEntries} />}
    </Section>
  );
}
