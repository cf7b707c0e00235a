import type { Node } from "@gatehouse/contract/routes";
import { useMemo } from "react";
import { useMay } from "../../api/auth.ts";
import { Link } from "../../ui/Link.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import type { PlacelessNode } from "./join-places.ts";
import styles from "./MapPage.module.css";
import { groupPlaceless } from "./say-places.ts";

/** Who is on no map, by the reason. */
export function PlacelessList({ placeless }: { readonly placeless: readonly PlacelessNode[] }) {
  const maySet = useMay("node:admin");
  const groups = useMemo(() => groupPlaceless(placeless), [placeless]);
  const columns = useMemo(() => columnsOf(maySet), [maySet]);
  if (groups.length === 0) return <p className={styles.told}>Every node has a place.</p>;
  return (
    <>
      {groups.map(({ why, words, nodes }) => (
        <section key={why} className={styles.group} aria-label={words}>
          <h3>
            {words} <span>{nodes.length.toLocaleString("en-GB")}</span>
          </h3>
          <Table
            label={words}
            columns={columns}
            rows={nodes}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/nodes/${id}`}
            rowHeight={31}
            hideHead
          />
        </section>
      ))}
    </>
  );
}

const columnsOf = (maySet: boolean): readonly Column<Node>[] => [
  {
    key: "name",
    head: "Node",
    least: 200,
    cell: ({ name }) => (
      <code>
        <ShortText text={name} most={25} />
      </code>
    ),
  },
  ...(maySet
    ? [
        {
          key: "set",
          head: "Place",
          least: 110,
          align: "end",
          phone: "time",
          cell: ({ id, name }: Node) => (
            <Link href={`/nodes/${id}?edit=place`}>
              Set a place<VisuallyHidden> of {name}</VisuallyHidden>
            </Link>
          ),
        } satisfies Column<Node>,
      ]
    : []),
];
