import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import type { HostLogCounts } from "../../api/host-logs.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { axisTicks } from "../../ui/time-axis.ts";
import type { View } from "../../widgets/Measured/measured-points.ts";
import { barWords, drawBars, sayBar, sayBars, sumBars } from "./log-bars.ts";
import styles from "./LogBars.module.css";

export interface LogBarsProps {
  readonly counts: HostLogCounts | undefined;
  /** Those of this filter are on their way. */
  readonly isBusy: boolean;
  readonly chosen: View | undefined;
  readonly now: number;
  /** When: "in the last hour". */
  readonly label: string;
  /** Whether these are the lines of the list: words are not counted by. */
  readonly isCounted: boolean;
  /** Whether lines are left out by their level: nobody knows that of lines that were dropped. */
  readonly isLevelled: boolean;
  readonly onChoose: (part: View | undefined) => void;
  readonly ranges: ReactNode;
}

/** From one bar to another, whichever way it was drawn. */
interface Span {
  readonly anchor: number;
  readonly end: number;
}

const number = new Intl.NumberFormat("en-GB");
const strides: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Lines over time, errors at the bottom. What was dropped has no fill: it is not there. A bar, or several, choose a part of the time. */
export function LogBars({ counts, isBusy, chosen, now, label, isCounted, isLevelled, onChoose, ranges }: LogBarsProps) {
  const [span, setSpan] = useState<Span>();
  const [isDrawing, setDrawing] = useState(false);
  const bars = counts?.bars ?? [];
  const from = counts === undefined ? now : Date.parse(counts.from);
  const stepMs = (counts?.stepSeconds ?? 60) * 1_000;
  const to = from + bars.length * stepMs;
  const sums = sumBars(bars);
  const last = Math.max(0, bars.length - 1);
  const at = Math.min(last, span?.end ?? (chosen === undefined ? last : barOf(chosen.from)));
  const bar = bars[at];
  const said =
    bar === undefined ? "" : sayBar(bar, from + at * stepMs, { stepSeconds: counts?.stepSeconds ?? 60, now });

  function barOf(moment: number): number {
    return Math.min(last, Math.max(0, Math.floor((moment - from) / stepMs)));
  }
  const choose = ({ anchor, end }: Span): void => {
    const [first, final] = anchor < end ? [anchor, end] : [end, anchor];
    onChoose({ from: from + first * stepMs, to: from + (final + 1) * stepMs });
  };
  const barUnder = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / Math.max(1, width)) * bars.length)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || bars.length === 0) return;
    if (event.key === "Enter" && !event.repeat) return choose(span ?? { anchor: at, end: at });
    if (event.key === "Escape" && chosen !== undefined) {
      setSpan(undefined);
      return onChoose(undefined);
    }
    const stride = strides[event.key];
    if (stride === undefined) return;
    event.preventDefault();
    const end = Math.min(last, Math.max(0, at + stride));
    setSpan({ anchor: event.shiftKey ? (span?.anchor ?? at) : end, end });
  };
  return (
    <figure className={styles.figure} aria-busy={isBusy || undefined}>
      <div className={styles.legend}>
        <p>
          <b>{number.format(sums.lines)}</b> {sums.lines === 1 ? "line" : "lines"} {label}
        </p>
        <Named kind="error" lines={sums.error} />
        <Named kind="warning" lines={sums.warning} />
        <Named kind="info" lines={sums.info} />
        {!isLevelled && (
          <p>
            <i className={styles.swatchDropped} />
            <b>{number.format(sums.dropped)}</b> dropped on the host
          </p>
        )}
        {ranges}
      </div>
      <figcaption className={styles.summary}>{counts === undefined ? "" : sayBars(counts)}</figcaption>
      {/* The bars are looked at, and one of them is its value: all numbers stand in the summary and beside the filters. */}
      <div
        className={styles.field}
        role="slider"
        tabIndex={0}
        aria-label="Time, by bars"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={said}
        onKeyDown={onKeyDown}
        onBlur={() => setSpan(undefined)}
        onPointerDown={(event) => {
          if (event.button !== 0 || bars.length === 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const under = barUnder(event);
          setDrawing(true);
          setSpan({ anchor: under, end: under });
        }}
        onPointerMove={(event) => {
          const under = barUnder(event);
          setSpan(isDrawing && span !== undefined ? { ...span, end: under } : { anchor: under, end: under });
        }}
        onPointerUp={() => {
          if (isDrawing && span !== undefined) choose(span);
          setDrawing(false);
        }}
        onPointerCancel={() => setDrawing(false)}
        onPointerLeave={() => isDrawing || setSpan(undefined)}
      >
        <div className={styles.bars}>
          {drawBars(bars).map((drawn, n) => (
            <i key={n} className={styles.bar}>
              {drawn.error > 0 && <i className={styles.error} style={{ height: `${drawn.error}%` }} />}
              {drawn.warning > 0 && <i className={styles.warning} style={{ height: `${drawn.warning}%` }} />}
              {drawn.info > 0 && <i className={styles.info} style={{ height: `${drawn.info}%` }} />}
              {drawn.dropped > 0 && <i className={styles.dropped} style={{ height: `${drawn.dropped}%` }} />}
            </i>
          ))}
        </div>
        {span !== undefined && bars.length > 0 && (
          <i
            className={styles.span}
            style={boxOf(Math.min(span.anchor, span.end), Math.max(span.anchor, span.end) + 1, bars.length)}
          />
        )}
        {chosen !== undefined && chosen.to > from && chosen.from < to && (
          <i
            className={styles.chosen}
            style={boxOf(
              Math.max(0, (chosen.from - from) / stepMs),
              Math.min(bars.length, (chosen.to - from) / stepMs),
              bars.length,
            )}
          />
        )}
      </div>
      <div className={styles.ticks} aria-hidden="true">
        {bars.length > 0 &&
          axisTicks(from, to, 7).map((tick) => {
            const place = (tick.at - from) / (to - from);
            return (
              <span
                key={tick.at}
                className={cx(place < 0.03 && styles.atStart, place > 0.97 && styles.atEnd)}
                style={{ left: `${place * 100}%` }}
              >
                {tick.words}
              </span>
            );
          })}
      </div>
      <div className={styles.foot}>
        <p aria-hidden="true">
          {span !== undefined ? said : counts && `${capital(barWords(counts.stepSeconds))}; click one, drag several.`}
          {!isCounted && span === undefined && " Words are not counted by."}
        </p>
        {chosen !== undefined && (
          <Button size="small" look="bare" onClick={() => onChoose(undefined)}>
            Show all of it
          </Button>
        )}
      </div>
    </figure>
  );
}

function Named({ kind, lines }: { readonly kind: "error" | "warning" | "info"; readonly lines: number }) {
  return (
    <p>
      <i className={cx(styles.swatch, styles[kind])} />
      <b>{number.format(lines)}</b> {kind}
    </p>
  );
}

function boxOf(first: number, end: number, count: number) {
  return { left: `${(first / count) * 100}%`, width: `${((end - first) / count) * 100}%` };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
