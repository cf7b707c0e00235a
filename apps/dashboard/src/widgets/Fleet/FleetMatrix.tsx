import type { Node } from "@gatehouse/contract/routes";
import { type ReactNode, useMemo } from "react";
import { Link } from "../../ui/Link.tsx";
import { Matrix } from "../../ui/Matrix.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import styles from "./FleetMatrix.module.css";
import { type FleetGroup, groupNodes, inPlace, mostMarks } from "./fleet-groups.ts";
import { type NodeFilter, nodesHref } from "./nodes-href.ts";
import { countStandings, sayStanding, type StandingCounts, standings, standingWords } from "./standing.ts";

/** A mark for every node; of a larger fleet a tile for every tag, with counts. `filter` is what the links keep. */
export function FleetMatrix({ nodes, filter = {} }: { readonly nodes: readonly Node[]; readonly filter?: NodeFilter }) {
  const isLarge = nodes.length > mostMarks;
  return isLarge ? <Groups nodes={nodes} filter={filter} /> : <Marks nodes={nodes} />;
}

function Marks({ nodes }: { readonly nodes: readonly Node[] }) {
  const cells = useMemo(() => {
    const now = Date.now();
    return inPlace(nodes).map((node) => {
      const { state, word } = sayStanding(node, now);
      return { key: node.id, state, title: `${node.name}: ${word}`, href: `/nodes/${node.id}` };
    });
  }, [nodes]);
  return cells.length === 0 ? null : (
    <Matrix label={`A mark for each node: ${countWords(countStandings(nodes))}.`} cells={cells} />
  );
}

const mostGroups = 24;

function Groups({ nodes, filter }: { readonly nodes: readonly Node[]; readonly filter: NodeFilter }) {
  const groups = useMemo(() => groupNodes(nodes), [nodes]);
  const rest = groups.slice(mostGroups);
  return (
    <div>
      <ul className={styles.groups} aria-label="Nodes by their first tag">
        {groups.slice(0, mostGroups).map((group) => (
          <Group key={group.tag ?? ""} group={group} filter={filter} />
        ))}
      </ul>
      {rest.length > 0 && (
        <p className={styles.rest}>
          {rest.length} more tags with {rest.reduce((sum, { size }) => sum + size, 0).toLocaleString("en-GB")} nodes are
          in the list.
        </p>
      )}
    </div>
  );
}

function Group({ group: { tag, size, counts }, filter }: { readonly group: FleetGroup; readonly filter: NodeFilter }) {
  // Of nodes without a tag there is no filter: they are in the whole list.
  const hrefOf = (more: NodeFilter): string | undefined =>
    tag === null ? undefined : nodesHref({ ...filter, tag, ...more });
  return (
    <li className={styles.group}>
      <span className={styles.tag}>
        <MaybeLink href={hrefOf({})}>{tag ?? "no tag"}</MaybeLink> <span>{size.toLocaleString("en-GB")}</span>
      </span>
      <span className={styles.counts}>
        {standings
          .filter((standing) => counts[standing] > 0)
          .map((standing) => (
            <span key={standing} title={standingWords[standing].word}>
              <Mark state={standingWords[standing].state} size={9} />{" "}
              <MaybeLink href={hrefOf({ state: standing })}>
                {counts[standing].toLocaleString("en-GB")} {standingWords[standing].word.toLowerCase()}
              </MaybeLink>
            </span>
          ))}
      </span>
    </li>
  );
}

function MaybeLink({ href, children }: { readonly href: string | undefined; readonly children: ReactNode }) {
  return href === undefined ? (
    <>{children}</>
  ) : (
    <Link href={href} look="bare">
      {children}
    </Link>
  );
}

/** "2 offline, 1 not heard yet, 180 healthy": only what there is. */
export function countWords(counts: StandingCounts): string {
  return standings
    .filter((standing) => counts[standing] > 0)
    .map((standing) => `${counts[standing].toLocaleString("en-GB")} ${standingWords[standing].word.toLowerCase()}`)
    .join(", ");
}
