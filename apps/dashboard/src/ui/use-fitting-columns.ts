import { type RefObject, useLayoutEffect, useMemo, useState } from "react";
import { fitColumns, type Sized } from "./fit-columns.ts";

/** Where a table is wider than its columns said, it is taken to have less room by this at least. */
const stepWidth = 48;

/** What has room in a box: found before the first paint, and again whenever the box or the rows change. */
export function useFittingColumns<Column extends Sized>(
  box: RefObject<HTMLElement | null>,
  all: readonly Column[],
  rows: readonly unknown[],
): { readonly isList: boolean; readonly columns: readonly Column[] } {
  const width = useWidth(box);
  const [excess, setExcess] = useState({ width: 0, by: 0 });
  const by = excess.width === width ? excess.by : 0;
  const fitting = useMemo(() => fitColumns(all, width === undefined ? undefined : width - by), [all, width, by]);
  const isList = fitting === null;
  useLayoutEffect(() => {
    const table = box.current?.firstElementChild;
    if (isList || width === undefined || !(table instanceof HTMLElement)) return;
    const over = table.offsetWidth - width;
    // A word that cannot be broken. It ends with the list, which is never too wide.
    // oxlint-disable-next-line react/set-state-in-effect -- how wide a table is, is known only once it is laid out
    if (over > 0) setExcess({ width, by: by + Math.max(over, stepWidth) });
  }, [box, isList, width, by, fitting, rows.length]);
  return { isList, columns: fitting ?? all };
}

function useWidth(box: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const watched = box.current;
    if (watched === null) return undefined;
    const look = (): void => setWidth(watched.clientWidth);
    look();
    const watch = new ResizeObserver(look);
    watch.observe(watched);
    return () => watch.disconnect();
  }, [box]);
  return width;
}
