import type { Node } from "@gatehouse/contract/routes";
import type { UseQueryResult } from "@tanstack/react-query";
import { ButtonLink } from "../../ui/Button.tsx";
import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { FleetMatrix } from "../../widgets/Fleet/FleetMatrix.tsx";
import { nodesHref } from "../../widgets/Fleet/nodes-href.ts";
import { countStandings, standings, standingWords } from "../../widgets/Fleet/standing.ts";
import { useCauses } from "../../widgets/Fleet/use-causes.ts";
import styles from "./OverviewPage.module.css";

export interface FleetStripProps {
  readonly nodes: UseQueryResult<readonly Node[]>;
  readonly mayEnrol: boolean;
}

/** The fleet in one strip: counts that lead somewhere, and a mark for each host. Without a host, the way to the first. */
export function FleetStrip({ nodes, mayEnrol }: FleetStripProps) {
  const data = useCauses(nodes.data);
  // Without a host, and without the right to bring one, there is nothing to say here.
  if (data?.length === 0 && !mayEnrol) return null;
  return (
    <div className={styles.fleet}>
      <Section
        title="Fleet"
        count={data?.length}
        aside={data !== undefined && data.length > 0 && <Counts nodes={data} />}
        more={data !== undefined && data.length > 0 ? { href: "/nodes", label: "All nodes" } : undefined}
      >
        <div className={styles.strip}>
          {nodes.isPending && <Skeleton count={2} label="Reading the fleet" />}
          {nodes.isError && (
            <ApiErrorView
              error={nodes.error}
              title={data === undefined ? "The fleet could not be read" : "This is not up to date"}
              size="inline"
              onRetry={() => void nodes.refetch()}
              retrying={nodes.isFetching}
            />
          )}
          {data?.length === 0 && <FirstHost />}
          {data !== undefined && data.length > 0 && <FleetMatrix nodes={data} />}
        </div>
      </Section>
    </div>
  );
}

function FirstHost() {
  return (
    <div className={styles.first}>
      <p>
        No host yet. A host is enrolled with one line that somebody runs there; it starts as monitor, so this server can
        look at it and change nothing.
      </p>
      <ButtonLink href="/nodes?enrol=new">Enrol the first host…</ButtonLink>
    </div>
  );
}

function Counts({ nodes }: { readonly nodes: readonly Node[] }) {
  const counts = countStandings(nodes);
  return (
    <span className={styles.counts}>
      {standings
        .filter((standing) => counts[standing] > 0)
        .map((standing) => (
          <Link key={standing} href={nodesHref({ state: standing })} look="bare">
            <Mark state={standingWords[standing].state} size={9} /> <b>{counts[standing].toLocaleString("en-GB")}</b>{" "}
            {standingWords[standing].word.toLowerCase()}
          </Link>
        ))}
    </span>
  );
}
