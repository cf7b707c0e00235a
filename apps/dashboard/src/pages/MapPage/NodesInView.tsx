import type { Node } from "@gatehouse/contract/routes";
import { useMemo } from "react";
import { cx } from "../../ui/cx.ts";
import { truncateMiddle } from "../../ui/middle.ts";
import { Mark, type State } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { sayStanding } from "../../widgets/Fleet/standing.ts";
import styles from "./MapPage.module.css";
import { groupByNeed } from "./order-nodes.ts";

export interface NodesInViewProps {
  readonly nodes: readonly Node[];
  readonly chosen: string | undefined;
  readonly onChoose: (node: Node) => void;
}

/** Only the rows near the screen are drawn, however many nodes are in view. */
export function NodesInView({ nodes, chosen, onChoose }: NodesInViewProps) {
  const groups = useMemo(() => groupByNeed(nodes), [nodes]);
  return (
    <>
      {groups.map(({ title, nodes: some }) => (
        <section key={title} className={styles.group} aria-label={title}>
          <h3>
            {title} <span>{some.length.toLocaleString("en-GB")}</span>
          </h3>
          <Table
            label={`${title}, on the map`}
            columns={columns}
            rows={some}
            rowKey={({ id }) => id}
            onRow={onChoose}
            selectedKey={chosen}
            rowHeight={31}
            hideHead
          />
        </section>
      ))}
    </>
  );
}

const columns: readonly Column<Node>[] = [
  {
    key: "name",
    head: "Node",
    least: 200,
    cell: (node) => (
      <span className={styles.name}>
        <Mark state={sayStanding(node, Date.now()).state} /> <Name text={node.name} />
      </span>
    ),
  },
  {
    key: "state",
    head: "State",
    least: 150,
    align: "end",
    phone: "time",
    cell: (node) => {
      const { state, word } = sayStanding(node, Date.now());
      return <span className={cx(styles.word, styles[toneOf(state)])}>{word}</span>;
    },
  },
];

const mostLetters = 21;

/** One line, whatever the length: the end of a name is often what tells it from the others. */
function Name({ text }: { readonly text: string }) {
  const short = truncateMiddle(text, mostLetters);
  if (short === text) return <code>{text}</code>;
  return (
    <code title={text}>
      <span aria-hidden="true">{short}</span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </code>
  );
}

function toneOf(state: State): "bad" | "warn" | "plain" {
  return state === "off" ? "bad" : state === "warn" ? "warn" : "plain";
}
