import type { AuditEntryView } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { type AuditCheck, auditCheckQuery } from "../../api/audit.ts";
import { useMay } from "../../api/auth.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { AuditActor } from "../../widgets/AuditActor/AuditActor.tsx";
import { AuditSubject } from "../../widgets/AuditActor/AuditSubject.tsx";
import type { AuditReader } from "../../widgets/AuditActor/use-audit-reader.ts";
import { minuteOf } from "../../widgets/HostLogs/log-ranges.ts";
import { logsHref } from "../../widgets/HostLogs/logs-address.ts";
import { outcomes } from "../../widgets/audit-words.ts";
import { hrefOnly } from "./audit-filter.ts";
import styles from "./AuditPage.module.css";

export interface EntryFactsProps {
  readonly entry: AuditEntryView;
  readonly reader: AuditReader;
}

/** All that an entry says, and what each part of it is. */
export function EntryFacts({ entry, reader }: EntryFactsProps) {
  const { data: check } = useQuery(auditCheckQuery);
  const { actor, action, subject, outcome, requestId, address, position, at } = entry;
  const mayLogs = useMay("log:read");
  const node = nodeOf(subject);
  const detail = JSON.stringify(entry.detail, null, 2);
  const none = <span className={styles.none}>none</span>;
  const only = (name: "actor" | "action" | "subject", value: string, words: string) => (
    <Link look="quiet" href={hrefOnly(name, value)}>
      {words}
    </Link>
  );
  return (
    <>
      <Facts
        items={[
          {
            label: "Outcome",
            value: <StateMark state={outcomes[outcome].state} word={outcomes[outcome].word} />,
            note: outcomes[outcome].says,
          },
          {
            label: "Position",
            value: <CopyText text={String(position)} label="position" />,
            note: chainNote(position, check),
          },
          {
            label: "When",
            value: <Time at={at} absolute />,
            note: (
              <>
                <Time at={at} />{" "}
                {mayLogs && node !== undefined && (
                  <Link look="quiet" href={logsHref({ nodes: [node], chosen: minuteOf(at) })}>
                    Logs of that minute
                  </Link>
                )}
              </>
            ),
          },
          {
            label: "Who",
            value: <AuditActor actor={actor} reader={reader} />,
            note: (
              <>
                <CopyText text={actor} label="actor" whole /> {only("actor", actor, "All by this actor")}
              </>
            ),
          },
          { label: "What", value: <code>{action}</code>, note: only("action", action, "All of this action") },
          {
            label: "On what",
            value: <AuditSubject subject={subject} reader={reader} />,
            note: (
              <>
                <CopyText text={subject} label="subject" whole /> {only("subject", subject, "All on this subject")}
              </>
            ),
          },
          { label: "From", value: address === null ? none : <CopyText text={address} label="address" whole /> },
          {
            label: "Request",
            value: requestId === null ? none : <CopyText text={requestId} label="request id" whole />,
            note: requestId === null ? "Nobody asked for it over the API." : "The same id stands in the server's log.",
          },
        ]}
      />
      <div className={styles.detailHead}>
        <h3>Detail</h3>
        <CopyButton text={JSON.stringify(entry, null, 2)} label="the whole entry as JSON" />
      </div>
      <pre className={styles.json}>{detail}</pre>
    </>
  );
}

/** The node that an entry is about, if it is about one. */
function nodeOf(subject: string): string | undefined {
  return /^node\/(node_[0-9a-z]{26})$/.exec(subject)?.[1];
}

function chainNote(position: number, check: AuditCheck | undefined): string | undefined {
  if (check === undefined) return undefined;
  if (check.state === "failed") return "The chain is broken; see the head of the page.";
  if (check.verified === null) return "The chain is being checked.";
  const to = check.verified.position.toLocaleString("en-GB");
  return position <= check.verified.position
    ? `Within the chain that was verified to #${to}.`
    : `Written after the chain was verified to #${to}.`;
}
