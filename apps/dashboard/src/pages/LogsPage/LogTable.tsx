import { useMemo } from "react";
import type { HostLogLine } from "../../api/host-logs.ts";
import { ShortText } from "../../ui/ShortText.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { utcDay } from "../../ui/time-axis.ts";
import { LineText } from "./LineText.tsx";
import type { LogRow } from "./log-rows.ts";
import styles from "./LogsPage.module.css";
import type { ReadWords } from "./read-words.ts";
import { clockSeconds, narrowSource, preciseClock, sayDropped, signOf } from "./say-logs.ts";

export interface LogTableProps {
  readonly rows: readonly LogRow[];
  readonly wanted: ReadWords;
  readonly nameOf: (id: string) => string;
  readonly chosen: string | undefined;
  readonly isStale?: boolean;
  readonly onChoose: (line: HostLogLine) => void;
}

export function LogTable({ rows, wanted, nameOf, chosen, isStale = false, onChoose }: LogTableProps) {
  // Rows are drawn again when their columns are others.
  const columns = useMemo(() => columnsFor(wanted, nameOf), [wanted, nameOf]);
  return (
    <Table
      label="Lines, the newest first"
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      onRow={(row) => row.kind === "line" && onChoose(row.line)}
      selectedKey={chosen}
      stale={isStale}
      rowHeight={32}
    />
  );
}

const columnsFor = (wanted: ReadWords, nameOf: (id: string) => string): readonly Column<LogRow>[] => [
  { key: "sign", head: "", px: 28, least: 28, phone: "hidden", cell: (row) => <Sign row={row} /> },
  {
    key: "at",
    head: "Time, UTC",
    px: 98,
    least: 98,
    phone: "time",
    cell: (row) => <Moment row={row} />,
  },
  {
    key: "node",
    head: "Node",
    px: 122,
    least: 122,
    phone: "title",
    cell: (row) =>
      row.kind === "line" && (
        <>
          <span className={styles.phoneOnly}>
            <Sign row={row} />{" "}
          </span>
          <code>
            <ShortText text={nameOf(row.line.node)} most={15} />
          </code>
          <code className={styles.phoneUnit}>{narrowSource(row.line.source)}</code>
        </>
      ),
  },
  {
    key: "unit",
    head: "Unit",
    px: 94,
    least: 94,
    drop: 1,
    phone: "hidden",
    cell: (row) =>
      row.kind === "line" && (
        <code title={row.line.source}>
          <ShortText text={narrowSource(row.line.source)} most={11} />
        </code>
      ),
  },
  {
    key: "line",
    head: "Line, newest first",
    least: 180,
    cell: (row) => <Said row={row} wanted={wanted} nameOf={nameOf} />,
  },
];

function Sign({ row }: { readonly row: LogRow }) {
  if (row.kind === "skipped" || row.line.dropped !== null) return <i className={styles.dash} />;
  const state = signOf(row.line.level);
  return state === undefined ? null : <StateMark state={state} word={row.line.level ?? ""} hideWord />;
}

function Moment({ row }: { readonly row: LogRow }) {
  const at = row.kind === "line" ? row.line.at : row.to;
  const isToday = at.slice(0, 10) === new Date().toISOString().slice(0, 10);
  return (
    <time dateTime={at} className={styles.when}>
      {!isToday && <span>{utcDay(Date.parse(at))} </span>}
      {preciseClock(at)}
    </time>
  );
}

function Said({ row, wanted, nameOf }: Pick<LogTableProps, "wanted" | "nameOf"> & { readonly row: LogRow }) {
  if (row.kind === "skipped") {
    return (
      <span className={styles.note}>
        <b>Lines were skipped on the way to you</b> since {clockSeconds(row.from)}: more came than this page takes.
        Search finds them; fewer nodes, or errors alone, can be followed.
      </span>
    );
  }
  const { line } = row;
  if (line.dropped === null) return <LineText text={line.text} wanted={wanted} />;
  const { before, after } = sayDropped(line);
  return (
    <span className={styles.note}>
      <b>
        {before}
        <code>{nameOf(line.node)}</code>
      </b>
      {after}
    </span>
  );
}
