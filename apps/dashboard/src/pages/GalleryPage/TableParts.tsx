import { useMemo, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Pager } from "../../ui/Pager.tsx";
import { Section } from "../../ui/Section.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { StateMark, type State } from "../../ui/StateMark.tsx";
import { Table, type Column, type Sort } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import styles from "./GalleryPage.module.css";

type Row = { id: string; state: State; word: string; tags: string; at: number };

const states: readonly [State, string][] = [
  ["ok", "Active"],
  ["wait", "Waiting"],
  ["off", "Unreachable"],
  ["run", "Changing"],
];

const columns: readonly Column<Row>[] = [
  { key: "id", head: "Name", cell: (row) => row.id, sortable: true, phone: "title" },
  { key: "state", head: "State", cell: (row) => <StateMark state={row.state} word={row.word} />, sortable: true },
  { key: "tags", head: "Tags", cell: (row) => <ShortText text={row.tags} most={18} />, phone: "hidden" },
  {
    key: "key",
    head: "Key",
    cell: (row) => <CopyText text={`key_01k9x4t7qd${row.id}`} label="key" />,
    phoneLabel: true,
  },
  { key: "at", head: "Seen", cell: (row) => <Time at={row.at} />, align: "end", sortable: true, phone: "time" },
];

export function TableParts() {
  const [count, setCount] = useState(8);
  const [sort, setSort] = useState<Sort>({ column: "id", down: false });
  const [picked, setPicked] = useState("edge-000002");
  const rows = useMemo(() => makeRows(count, sort), [count, sort]);
  return (
    <div className={styles.tables}>
      <Section
        title="Table"
        count={count}
        aside={
          <Button size="small" onClick={() => setCount(count === 8 ? 10_000 : 8)}>
            {count === 8 ? "10,000 rows" : "8 rows"}
          </Button>
        }
      >
        <Table
          label="Hosts"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          onRow={(row) => setPicked(row.id)}
          selectedKey={picked}
          sort={sort}
          onSort={setSort}
        />
        <Pager shown={`${count.toLocaleString("en-GB")} of 48,213`} more onMore={() => setCount(count + 8)} />
        <Pager shown="Reading the next" more busy onMore={() => setCount(8)} />
        <Pager shown="All 8 are shown" more={false} onMore={() => setCount(8)} />
      </Section>
      <Section title="Table that leads somewhere, older rows while newer come" count={2}>
        <Table
          label="Older hosts"
          columns={columns}
          rows={older}
          rowKey={(row) => row.id}
          rowHref={(row) => `/gallery?host=${row.id}`}
          stale
        />
      </Section>
    </div>
  );
}

const older = makeRows(2, { column: "id", down: false });

function makeRows(count: number, sort: Sort): Row[] {
  const rows = Array.from({ length: count }, (_, at): Row => {
    const [state, word] = states[(at * 7) % states.length] ?? ["ok", "Active"];
    return {
      id: `edge-${String(at).padStart(6, "0")}`,
      state,
      word,
      tags: at % 3 === 2 ? "edge, public, behind-the-second-firewall" : "edge, public",
      at: Date.now() - at * 90_000,
    };
  });
  const key = (row: Row) => (sort.column === "state" ? row.word : sort.column === "at" ? -row.at : row.id);
  rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return sort.down ? rows.reverse() : rows;
}
