import type { AuditWitnessView } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { signedEndQuery, type SignedEnd } from "../../api/witnesses.ts";
import { Button } from "../../ui/Button.tsx";
import { Columns } from "../../ui/Columns.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { type Disbelief, whyOf } from "../../widgets/disbelief.ts";
import { countHosts } from "./chain-drawing.ts";
import { ChainFact, FourFacts } from "./ChainFacts.tsx";
import { refusalReason } from "./disbelief-words.ts";
import styles from "./DisbeliefView.module.css";
import { ForkDrawing } from "./ForkDrawing.tsx";
import { type Chain, countDisbelief } from "./use-chain.ts";
import { WhatToDo } from "./WhatToDo.tsx";

export interface DisbeliefViewProps {
  readonly chain: Chain;
  readonly disbelief: Disbelief;
}

/** What stands where a whole log has its facts: the log that parts, both heads, who knows better, and what to do in order. */
export function DisbeliefView({ chain, disbelief }: DisbeliefViewProps) {
  const end = useQuery(signedEndQuery);
  const { first, hosts } = disbelief;
  const count = countDisbelief(chain);
  const alike = hosts.filter(({ link }) => link !== null && link === first.link).length;
  const isOfLog = first.code !== "witness.signature" && first.position !== null;
  return (
    <>
      <DisbeliefFacts chain={chain} disbelief={disbelief} count={count} end={end.data?.position} />
      {isOfLog && end.data !== undefined && (
        <ForkDrawing
          begins={chain.check.data?.begins ?? 1}
          held={first.position ?? 0}
          holders={alike > 1 ? countHosts(alike) : first.name}
          shown={end.data.position}
        />
      )}
      {isOfLog && end.isPending && <div className={styles.drawing} />}
      <Columns
        main={
          <>
            {isOfLog && <TwoHeads first={first} alike={alike} end={end.data} />}
            {end.isError && (
              <ApiErrorView error={end.error} title="The end of this log could not be read" size="inline" />
            )}
            <KnowBetter hosts={hosts} count={count} />
          </>
        }
        beside={<WhatToDo first={first} />}
      />
    </>
  );
}

interface DisbeliefFactsProps extends DisbeliefViewProps {
  readonly count: number;
  readonly end: number | undefined;
}

function DisbeliefFacts({ chain, disbelief: { first }, count, end }: DisbeliefFactsProps) {
  const { verdict, witnesses } = chain;
  const summary = witnesses.data?.summary;
  const cannot = summary === undefined ? 0 : summary.silent + Math.max(0, summary.refuse - count);
  const agree = summary === undefined ? 0 : summary.agree + summary.behind;
  const by = first.code === "witness.regressed" && end !== undefined ? (first.position ?? 0) - end : 0;
  return (
    <FourFacts>
      <ChainFact label="Chain" state="bad" value="Not the same log">
        {verdict.kind === "broken"
          ? "Its own links do not fit either."
          : "Its links fit each other, but not the heads that hosts hold."}
      </ChainFact>
      {by > 0 ? (
        <ChainFact label="Missing" value={by === 1 ? "1 entry" : `${said(by)} entries`}>
          {first.name} saw #{said(first.position ?? 0)}; this log ends at #{said(end ?? 0)}.
        </ChainFact>
      ) : (
        <ChainFact
          label="First difference"
          value={first.position === null ? "Not known" : `#${said(first.position)} or before`}
        >
          The lowest head that does not fit is that of {first.name}; its file narrows it.
        </ChainFact>
      )}
      <ChainFact label="Against it" value={countHosts(count)}>
        {count === 1 ? "It refuses newer heads and keeps its own." : "They refuse newer heads and keep their own."}
      </ChainFact>
      <ChainFact label="Cannot tell" value={summary === undefined ? "–" : countHosts(cannot)}>
        {agree === 0
          ? "No host takes this server’s side."
          : `${countHosts(agree)} ${agree === 1 ? "holds" : "hold"} only what this server shows now.`}
      </ChainFact>
    </FourFacts>
  );
}

interface TwoHeadsProps {
  readonly first: AuditWitnessView;
  readonly alike: number;
  readonly end: SignedEnd | undefined;
}

function TwoHeads({ first, alike, end }: TwoHeadsProps) {
  return (
    <Section
      title="The two heads"
      aside={
        end !== undefined && (
          <>
            both signed by this server’s key <CopyText text={end.server} label="server key" tail={8} />
          </>
        )
      }
    >
      <div className={styles.heads}>
        <div>
          <h3>
            {first.name} {alike > 1 ? `and ${said(alike - 1)} more hold` : "holds"} #{said(first.position ?? 0)}
          </h3>
          {first.link !== null && <Digest value={first.link} label="link that the host holds" />}
          {first.at !== null && (
            <p>
              Signed <Time at={first.at} absolute />
              {first.n !== null && `, head ${said(first.n)}`}
            </p>
          )}
        </div>
        <div>
          <h3 className={styles.loud}>This server shows #{said(end?.position ?? 0)}</h3>
          {end === undefined ? (
            <Skeleton count={2} label="Reading the end of this log" />
          ) : (
            <>
              <Digest value={end.link} label="link at the end of this log" />
              <p>
                Signed <Time at={end.at} absolute />, when this page asked
              </p>
            </>
          )}
        </div>
      </div>
      <p className={styles.detail}>{whyOf(first)}</p>
    </Section>
  );
}

const fewHosts = 5;

function KnowBetter({ hosts, count }: { readonly hosts: readonly AuditWitnessView[]; readonly count: number }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? hosts : hosts.slice(0, fewHosts);
  return (
    <Section title="Hosts that know better" count={count}>
      <Table
        label="Hosts that know better"
        columns={columns}
        rows={shown}
        rowKey={({ node }) => node}
        rowHref={({ node }) => `/nodes/${node}`}
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
