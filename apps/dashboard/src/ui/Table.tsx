/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/control-has-associated-label --
   Where there is little room the rows are laid out as a list, and a browser may then forget that they are a table: the roles say it.
   Presses and keys are heard once, on the body, for rows that come and go. The spacer cells are empty on purpose. */
import { ArrowDown, ArrowUp } from "lucide-react";
import { memo, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { cx } from "./cx.ts";
import type { Sized } from "./fit-columns.ts";
import { Link, useFollow } from "./Link.tsx";
import { nextRow, nextSort, type Sort } from "./table-keys.ts";
import { useFittingColumns } from "./use-fitting-columns.ts";
import { useRowWindow } from "./use-row-window.ts";
import styles from "./Table.module.css";

export type { Sort } from "./table-keys.ts";

export type Column<Row> = Sized & {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  sortable?: boolean;
  /** end: numbers and times */
  align?: "start" | "end";
  /** narrow: as wide as its words; wide: takes what is left */
  width?: "narrow" | "wide";
  /** So many pixels wide, whatever is in it and however many rows there are. */
  px?: number;
  /** In a list: title is the first line, time stands at its right, line goes under it, act under the time, hidden is left out. */
  phone?: "title" | "time" | "line" | "act" | "hidden";
  /** In a list, says the column's name before the value. */
  phoneLabel?: boolean;
};

export type TableProps<Row> = {
  /** What the table holds, for a screen reader: "Plugins". */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Where a row leads. The first column becomes the link; the whole row follows it. */
  rowHref?: (row: Row) => string | undefined;
  /** What a row does instead of leading somewhere. */
  onRow?: (row: Row) => void;
  selectedKey?: string | undefined;
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
  /** Older rows shown while newer ones are on their way. */
  stale?: boolean;
  /** Only for who listens: the table stands below another with the same columns. */
  hideHead?: boolean;
  rowHeight?: number;
};

/**
 * Hairline rows under a head that stays. Thousands of rows draw only those near the screen. By the room it has, and not by
 * the window, it leaves columns out and becomes a list: beside the rail a tablet has hardly more room than a phone.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, rowKey, sort, onSort, stale = false, hideHead = false, rowHeight = 33 } = props;
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const { isList, columns } = useFittingColumns(box, props.columns, rows);
  const near = useRowWindow(rows.length, body, rowHeight, isList);
  const [focused, setFocused] = useState(-1);
  const wanted = useRef<number | null>(null);
  const follow = useFollow();
  const active = Boolean(props.rowHref ?? props.onRow);

  // A row far away exists only after the scroll that the key asked for.
  useEffect(() => {
    if (wanted.current === null) return;
    const row = body.current?.querySelector<HTMLElement>(`tr[data-row="${wanted.current}"]`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: rows.length > near.rows.length });
  });

  const openAt = (at: number) => {
    const row = rows[at];
    if (row === undefined) return;
    const href = props.rowHref?.(row);
    if (href !== undefined) follow(href);
    else props.onRow?.(row);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    // Inside an input or a menu button of the row the keys belong to that.
    if (!(event.target as HTMLElement).matches("tr[data-row]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rowAt(event.target);
    if (event.key === "Enter") {
      // What opens takes the focus at once, and the same press would go on to the button that has it then.
      event.preventDefault();
      return openAt(at);
    }
    const next = nextRow(event.key, at, rows.length, 12);
    if (next === null) return;
    event.preventDefault();
    wanted.current = next;
    setFocused(next);
    near.reveal(next);
  };

  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (isOwnClick(event)) openAt(rowAt(event.target));
  };

  // One row is the table's tab stop: the last that had the focus, or the first drawn.
  const stop = near.rows.includes(focused) ? focused : near.rows[0];

  return (
    <div ref={box} className={styles.box} data-list={isList || undefined}>
      <table
        className={cx(
          styles.table,
          near.virtual && styles.fixed,
          stale && styles.stale,
          isList && styles.list,
          hideHead && styles.headless,
        )}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        role="table"
      >
        <thead role="rowgroup" className={styles.head}>
          <tr role="row" aria-rowindex={1}>
            {columns.map((column) => (
              // The head of a list is not seen: a button in it would be a stop of the focus without a place.
              <HeadCell key={column.key} column={column} sort={sort} onSort={isList ? undefined : onSort} />
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          role="rowgroup"
          onKeyDown={active ? onKeyDown : undefined}
          onClick={active ? onClick : undefined}
          onFocus={(event) => setFocused(rowAt(event.target))}
        >
          <Spacer height={near.before} columns={columns.length} />
          {near.rows.map((at) => {
            const row = rows[at];
            if (row === undefined) return null;
            const key = rowKey(row);
            return (
              <BodyRow
                key={key}
                row={row}
                at={at}
                columns={columns}
                href={props.rowHref?.(row)}
                active={active}
                current={props.selectedKey === key}
                stop={at === stop}
                measure={near.measure}
              />
            );
          })}
          <Spacer height={near.after} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

type BodyRowProps<Row> = {
  row: Row;
  at: number;
  columns: readonly Column<Row>[];
  href: string | undefined;
  active: boolean;
  current: boolean;
  stop: boolean;
  measure: (element: Element | null) => void;
};

// Remembered, so that a scroll draws only the rows that come into sight.
const BodyRow = memo(function BodyRow<Row>(props: BodyRowProps<Row>) {
  const { row, at, columns, href, active, measure } = props;
  return (
    <tr
      ref={measure}
      role="row"
      data-row={at}
      aria-rowindex={at + 2}
      aria-current={props.current || undefined}
      tabIndex={active ? (props.stop ? 0 : -1) : undefined}
      className={cx(active && styles.active)}
    >
      {columns.map((column, first) => (
        <td
          key={column.key}
          role="cell"
          data-label={column.phoneLabel ? column.head : undefined}
          className={cx(
            styles[column.align ?? "start"],
            styles[`phone-${column.phone ?? (first === 0 ? "title" : "line")}`],
          )}
        >
          {first === 0 && href !== undefined ? (
            <Link href={href} look="bare" tabIndex={-1} className={styles.link}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: BodyRowProps<Row>) => ReactNode;

type HeadCellProps<Row> = { column: Column<Row>; sort: Sort | undefined; onSort: ((sort: Sort) => void) | undefined };

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const mine = sort?.column === column.key ? sort : undefined;
  return (
    <th
      role="columnheader"
      scope="col"
      className={cx(styles[column.align ?? "start"], column.width && styles[column.width])}
      style={{ minWidth: column.least, width: column.px }}
      aria-sort={column.sortable ? (mine ? (mine.down ? "descending" : "ascending") : "none") : undefined}
    >
      {column.sortable && onSort ? (
        <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, column.key))}>
          {column.head}
          {mine && (mine.down ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
        </button>
      ) : (
        column.head
      )}
    </th>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className={styles.spacer}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

/** The number of the row an event happened in, or -1. */
function rowAt(target: EventTarget): number {
  return Number((target as HTMLElement).closest<HTMLElement>("tr[data-row]")?.dataset["row"] ?? -1);
}

/** A press on the row itself: not on a link or a button in it, and not the end of a text selection. */
function isOwnClick(event: MouseEvent<HTMLElement>): boolean {
  if ((event.target as HTMLElement).closest("a, button, input, select, label, textarea, [role=menuitem]")) return false;
  return event.button === 0 && !window.getSelection()?.toString();
}
