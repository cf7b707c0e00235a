import type { AuditWitnessView } from "@gatehouse/contract/routes";
import { useState } from "react";
import { useMay } from "../../api/auth.ts";
import { Button } from "../../ui/Button.tsx";
import { Section } from "../../ui/Section.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { countHosts } from "./chain-drawing.ts";
import { refusalReason } from "./disbelief-words.ts";
import styles from "./DisbeliefView.module.css";

const fewHosts = 5;

export interface KnowBetterProps {
  readonly hosts: readonly AuditWitnessView[];
  /** All of them, also those that the answer does not hold. */
  readonly count: number;
}

/** Who says that this is another log, what they hold, and since when they refuse ours. */
export function KnowBetter({ hosts, count }: KnowBetterProps) {
  const [isWhole, setWhole] = useState(false);
  const mayLook = useMay("node:read");
  const shown = isWhole ? hosts : hosts.slice(0, fewHosts);
  return (
    <Section title="Hosts that know better" count={count}>
      <Table
        label="Hosts that know better"
        columns={columns}
        rows={shown}
        rowKey={({ node }) => node}
        rowHref={({ node }) => (mayLook ? `/nodes/${node}` : undefined)}
      />
      {!isWhole && hosts.length > fewHosts && (
        <div className={styles.more}>
          <Button size="small" onClick={() => setWhole(true)}>
            {said(hosts.length - fewHosts)} more
          </Button>
        </div>
      )}
      {isWhole && count > hosts.length && (
        <p className={styles.detail}>
          The first {said(hosts.length)} of {countHosts(count)}; all of them: <code>gatehouse audit witnesses</code>
        </p>
      )}
    </Section>
  );
}

const columns: readonly Column<AuditWitnessView>[] = [
  { key: "name", head: "Host", least: 140, phone: "title", cell: ({ name }) => name },
  {
    key: "code",
    head: "It says",
    least: 150,
    phone: "line",
    cell: ({ code }) => <StateMark state="refused" word={refusalReason(code)} />,
  },
  {
    key: "position",
    head: "Holds",
    least: 80,
    width: "narrow",
    phone: "line",
    phoneLabel: true,
    cell: ({ position }) => (position === null ? "nothing" : `#${said(position)}`),
  },
  {
    key: "at",
    head: "Signed",
    least: 92,
    drop: 1,
    width: "narrow",
    phone: "hidden",
    cell: ({ at }) => (at === null ? null : <Time at={at} />),
  },
  {
    key: "since",
    head: "Refused ours",
    least: 92,
    width: "narrow",
    align: "end",
    phone: "time",
    cell: ({ since }) => (since === null ? null : <Time at={since} />),
  },
];

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
