import type { Node } from "@gatehouse/contract/routes";
import { ShortText } from "../../ui/ShortText.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, type Sort, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { CeilingBadge } from "../../widgets/Fleet/CeilingBadge.tsx";
import { sayStanding } from "../../widgets/Fleet/standing.ts";
import { acceptsWords } from "../../widgets/Plans/accepts-words.ts";
import styles from "./NodesPage.module.css";

const columns: readonly Column<Node>[] = [
  {
    key: "name",
    head: "Node",
    least: 200,
    sortable: true,
    cell: ({ name }) => (
      <code>
        <ShortText text={name} most={25} />
      </code>
    ),
  },
  {
    key: "state",
    head: "State",
    least: 170,
    sortable: true,
    cell: (node) => <StateMark {...sayStanding(node, Date.now())} />,
  },
  {
    key: "tags",
    head: "Tags",
    least: 120,
    drop: 2,
    cell: ({ tags }) => <ShortText text={tags.join(", ")} most={25} />,
  },
  { key: "ceiling", head: "Ceiling", least: 110, cell: ({ facts }) => <CeilingBadge facts={facts} /> },
  {
    key: "takes",
    head: "Takes",
    least: 150,
    drop: 3,
    phone: "hidden",
    cell: ({ facts }) => <Takes facts={facts} />,
  },
  {
    key: "version",
    head: "Agent",
    least: 130,
    drop: 1,
    sortable: true,
    phoneLabel: true,
    cell: ({ facts }) => <Agent facts={facts} />,
  },
  {
    key: "seen",
    head: "Seen",
    least: 100,
    align: "end",
    sortable: true,
    phone: "time",
    cell: ({ lastSeenAt, state }) =>
      lastSeenAt === null ? (
        // Who was seen is forgotten when the server ends, so this is not "never".
        <span className={styles.quiet}>{state === "unknown" ? "not yet" : "before the start"}</span>
      ) : (
        <Time at={lastSeenAt} />
      ),
  },
];

/** What runs there, and for which processor it was built. */
function Agent({ facts }: Pick<Node, "facts">) {
  if (facts === null) return <span className={styles.quiet}>not told yet</span>;
  return (
    <>
      <ShortText text={facts.agentVersion} most={18} /> <span className={styles.arch}>{facts.arch}</span>
    </>
  );
}

/** Whose word counts on a host. */
function Takes({ facts }: Pick<Node, "facts">) {
  if (facts === null) return <span className={styles.quiet}>not told yet</span>;
  const words = acceptsWords[facts.accepts].short;
  return facts.accepts === "none" ? <span className={styles.quiet}>{words}</span> : words;
}

export interface NodeTableProps {
  readonly nodes: readonly Node[];
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort) => void;
}

/** Only the rows near the screen are drawn, so ten thousand cost no more than fifty. */
export function NodeTable({ nodes, sort, onSort }: NodeTableProps) {
  return (
    <Table
      label="Nodes"
      columns={columns}
      rows={nodes}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/nodes/${id}`}
      sort={sort}
      onSort={onSort}
    />
  );
}
