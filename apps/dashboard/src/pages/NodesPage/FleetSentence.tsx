import type { Node, NodeState } from "@gatehouse/contract/routes";
import { Fragment } from "react";
import { Link } from "../../ui/Link.tsx";
import { nodesHref } from "../../widgets/Fleet/nodes-href.ts";
import styles from "./NodesPage.module.css";

const parts = [
  { state: "online", href: "online", word: "online" },
  { state: "offline", href: "offline", word: "offline" },
  { state: "unknown", href: "unheard", word: "not heard yet" },
  { state: "revoked", href: "revoked", word: "revoked" },
] as const satisfies readonly { state: NodeState; href: string; word: string }[];

/** The fleet in a sentence; every number leads to what it counts. */
export function FleetSentence({ nodes }: { readonly nodes: readonly Node[] }) {
  const counted = parts
    .map((part) => ({ ...part, count: nodes.filter(({ state }) => state === part.state).length }))
    .filter(({ count, state }) => count > 0 || state === "online");
  return (
    <p className={styles.sentence}>
      {nodes.length.toLocaleString("en-GB")} {nodes.length === 1 ? "node" : "nodes"}:{" "}
      {counted.map(({ href, word, count }, at) => (
        <Fragment key={href}>
          {at > 0 && ", "}
          <Link href={nodesHref({ state: href })} look="count">
            {count.toLocaleString("en-GB")} {word}
          </Link>
        </Fragment>
      ))}
      .
    </p>
  );
}
