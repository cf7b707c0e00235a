import { useQuery } from "@tanstack/react-query";
import { signedEndQuery } from "../../api/witnesses.ts";
import { Columns } from "../../ui/Columns.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import type { ChainVerdict } from "../../widgets/chain-verdict.ts";
import type { Disbelief } from "../../widgets/disbelief.ts";
import { countHosts } from "./chain-drawing.ts";
import { ChainFact, FourFacts } from "./ChainFacts.tsx";
import styles from "./DisbeliefView.module.css";
import { ForkDrawing } from "./ForkDrawing.tsx";
import { KnowBetter } from "./KnowBetter.tsx";
import { TwoHeads } from "./TwoHeads.tsx";
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
        {ownLinks[verdict.kind]}
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

const ownLinks: Readonly<Record<ChainVerdict["kind"], string>> = {
  unknown: "It does not go on from the heads that hosts hold.",
  checking: "It does not go on from the heads that hosts hold. Its own links are being checked.",
  broken: "Its own links do not fit either.",
  asked: "Its links fit each other, but not the heads that hosts hold.",
  verified: "Its links fit each other, but not the heads that hosts hold.",
};

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
