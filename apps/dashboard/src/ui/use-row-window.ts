import { useWindowVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState, type RefObject } from "react";

/** Below this every row is drawn: the browser's own find and print then see all of them. */
const drawAllUpTo = 120;

export type RowWindow = {
  /** Only the rows near the screen are drawn. */
  virtual: boolean;
  rows: readonly number[];
  before: number;
  after: number;
  measure: (element: Element | null) => void;
  reveal: (row: number) => void;
};

/** The rows near the screen, with the height of those before and after. The page itself scrolls. */
export function useRowWindow(
  count: number,
  table: RefObject<HTMLElement | null>,
  rowHeight: number,
  isList: boolean,
): RowWindow {
  const virtual = count > drawAllUpTo;
  const [top, setTop] = useState(0);
  const [usual, setUsual] = useState(rowHeight);
  useLayoutEffect(() => {
    const element = table.current;
    if (!element || !virtual) return undefined;
    const measure = (): void => setTop(element.getBoundingClientRect().top + window.scrollY);
    measure();
    // Another list above this one, or a banner, may come, go and grow.
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    // The first row stands for those not yet drawn: in a list a row is several lines high.
    const first = element.querySelector<HTMLElement>("tr[data-row]");
    if (first) setUsual(first.offsetHeight);
    return () => watch.disconnect();
  }, [table, virtual, count, isList]);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtualizer: Virtualizer<Window, Element> = useWindowVirtualizer({
    count,
    enabled: virtual,
    estimateSize: () => usual,
    overscan: 6,
    indexAttribute: "data-row",
    // React may join the draws of one scroll; drawing at once for each costs frames.
    useFlushSync: false,
    scrollMargin: top,
    // The sticky bar and head would cover a row brought to the very top.
    scrollPaddingStart: 96,
    scrollPaddingEnd: 16,
  });
  const items = virtualizer.getVirtualItems();
  // A page without its rows is short, and everybody is at the end of it.
  useStayAtEnd(items.length === 0 ? 0 : virtualizer.getTotalSize(), count);
  if (!virtual) {
    return {
      virtual,
      rows: Array.from({ length: count }, (_, row) => row),
      before: 0,
      after: 0,
      measure: noop,
      reveal: noop,
    };
  }
  const first = items[0];
  const last = items.at(-1);
  return {
    virtual,
    rows: items.map((item) => item.index),
    before: first ? first.start - top : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - top) : 0,
    measure: virtualizer.measureElement,
    reveal: (row) => virtualizer.scrollToIndex(row, { align: "auto" }),
  };
}

/**
 * Rows are measured when they are drawn. Where they are higher than was thought the page becomes longer under whoever went to
 * its end, who would then miss the last rows. More rows are another matter: those come below what is looked at.
 */
function useStayAtEnd(height: number, count: number) {
  const before = useRef({ end: Number.POSITIVE_INFINITY, count });
  useLayoutEffect(() => {
    if (height === 0) return;
    const end = document.documentElement.scrollHeight - window.innerHeight;
    const wasAtEnd = window.scrollY > 0 && window.scrollY >= before.current.end - 1;
    if (wasAtEnd && end > before.current.end && count === before.current.count) window.scrollTo(0, end);
    before.current = { end, count };
  }, [height, count]);
}

function noop() {}
