import type { Alert, AuditEntryView, Node } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { alertsQuery } from "../../api/alerts.ts";
import { auditQuery } from "../../api/audit.ts";
import { useMay } from "../../api/auth.ts";
import type { Answer } from "../../api/client.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Columns } from "../../ui/Columns.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Link } from "../../ui/Link.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Section } from "../../ui/Section.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { useWho } from "../../widgets/AuditSentence/use-who.ts";
import { withCauses } from "../../widgets/Fleet/causes.ts";
import { nodesHref } from "../../widgets/Fleet/nodes-href.ts";
import { sayStanding, standingOf, type Stood } from "../../widgets/Fleet/standing.ts";
import { Ceiling } from "./Ceiling.tsx";
import { Drift } from "./Drift.tsx";
import { EditNodeDialog } from "./EditNodeDialog.tsx";
import { EndNode } from "./EndNode.tsx";
import { HostChanges } from "./HostChanges.tsx";
import { Measured } from "./Measured.tsx";
import { NodeAlerts } from "./NodeAlerts.tsx";
import { NodeFacts, Units } from "./NodeFacts.tsx";
import styles from "./NodePage.module.css";
import { NodeTimeline } from "./NodeTimeline.tsx";
import { PlanChange } from "./PlanChange.tsx";

export interface NodeDetailProps {
  readonly read: Answer<Node>;
  /** What stands here is older than the last attempt to read it. */
  readonly error: Error | null;
}

const none: readonly AuditEntryView[] = [];
const noAlerts: readonly Alert[] = [];

export function NodeDetail({ read, error }: NodeDetailProps) {
  const node = read.data;
  const { id, name, tags, notes } = node;
  const mayAudit = useMay("audit:read");
  const mayChange = useMay("node:admin");
  const mayPlan = useMay("plan:create");
  const alerts = useQuery(alertsQuery(id)).data?.items ?? noAlerts;
  const audit = useQuery({ ...auditQuery({ subject: `node/${id}`, limit: "100" }), enabled: mayAudit });
  const entries = audit.data?.items ?? none;
  const who = useWho(entries);
  const nameOf = useMemo(() => (actor: string) => (actor === `node:${id}` ? "The host" : who(actor)), [id, who]);
  // As it was when the dialog was opened: a change is made to what the person saw.
  const navigate = useNavigate();
  const isAsked = useSearch({
    strict: false,
    select: (search: Record<string, unknown>) => search["edit"] !== undefined,
  });
  const [editing, setEditing] = useState<Answer<Node> | undefined>(isAsked && mayChange ? read : undefined);
  const close = (): void => {
    setEditing(undefined);
    if (isAsked) void navigate({ href: `/nodes/${id}`, replace: true, resetScroll: false });
  };
  return (
    <>
      <PageHead
        title={<span className={styles.name}>{name}</span>}
        meta={
          <>
            <Standing node={withCauses([node], alerts)[0] ?? node} />
            {tags.length > 0 && (
              <span>
                {tags.map((tag, at) => (
                  <span key={tag}>
                    {at > 0 && ", "}
                    <Link href={nodesHref({ tag })} look="quiet">
                      {tag}
                    </Link>
                  </span>
                ))}
              </span>
            )}
            <CopyText text={id} label="node id" tail={8} />
          </>
        }
        actions={
          mayChange && (
            <>
              <Button onClick={() => setEditing(read)}>Edit…</Button>
              <EndNode read={read} />
            </>
          )
        }
      />
      <div className={styles.banners}>
        {error !== null && <ApiErrorView error={error} title="This is not up to date" size="inline" />}
        <NodeBanner node={node} />
      </div>
      <Columns
        isMixed
        main={
          <>
            <NodeAlerts alerts={alerts} nameOf={nameOf} mayAct={mayChange} />
            <Measured node={node} />
            <Drift node={node} />
            {mayAudit && <HostChanges id={id} />}
            <NodeTimeline id={id} name={name} audit={mayAudit ? audit : undefined} nameOf={nameOf} />
            {notes !== "" && (
              <Section title="Notes">
                <p className={styles.notes}>{notes}</p>
              </Section>
            )}
            <div className={styles.late}>
              <NodeFacts node={node} nameOf={nameOf} />
            </div>
          </>
        }
        beside={
          <>
            <Ceiling facts={node.facts} />
            {mayPlan && <PlanChange node={node} />}
            <Units facts={node.facts} />
          </>
        }
      />
      {editing !== undefined && <EditNodeDialog read={editing} onClose={close} />}
    </>
  );
}

/** What holds now and since when; what is shown of a host that is away is from then. */
function Standing({ node }: { readonly node: Node & Stood }) {
  const said = sayStanding(node, Date.now());
  const isHere = node.state === "online";
  return (
    <span className={styles.standing} role="status">
      <StateMark {...said} />
      {isHere && node.since !== null && (
        <span>
          Online since <Time at={node.since} absolute />
        </span>
      )}
      {node.state === "offline" && (
        <span>{node.since === null ? "Not heard since the server's start." : "What you see is from then."}</span>
      )}
      {node.state === "unknown" && (
        <span>
          {node.since !== null && (
            <>
              The server started <Time at={node.since} />.{" "}
            </>
          )}
          The host has time to come back.
        </span>
      )}
    </span>
  );
}

function NodeBanner({ node }: { readonly node: Node }) {
  const standing = standingOf(node);
  if (standing === "revoked" && node.revokedAt !== null) {
    return (
      <Banner state="quiet" title="Revoked.">
        <Time at={node.revokedAt} absolute />. Its connection was cut and its key is refused. What stands here is the
        last that it said. To have the host back, enrol it with <code>--new-identity</code>.
      </Banner>
    );
  }
  if (standing === "rival" && node.rival !== null) {
    return (
      <Banner state="warn" title="Two machines use one identity.">
        One is at <code>{node.address ?? "an unknown address"}</code>, the other was at{" "}
        <code>{node.rival.address}</code>, <Time at={node.rival.at} />. A disk was copied: on the copy, root runs{" "}
        <code>gatehouse-agent enrol CODE --new-identity</code>.
      </Banner>
    );
  }
  return null;
}
