import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from "react";
import { cx } from "./cx.ts";
import { truncateMiddle } from "./middle.ts";
import { spreadOut } from "./spread-out.ts";
import { Mark, type State } from "./StateMark.tsx";
import type { Tick } from "./time-axis.ts";
import { openPlot, type PlotLine } from "./time-plot.ts";
import { useThemeChange } from "./use-theme-change.ts";
import styles from "./TimeChart.module.css";

export interface TimeChartLine extends PlotLine {
  readonly name: string;
}

export interface TimeChartMark {
  readonly key: string;
  readonly at: number;
  /** None is ink: nobody has to do anything. */
  readonly state: State | undefined;
  readonly words: string;
}

export interface TimeChartProps {
  /** What is drawn: "Network out". */
  readonly label: string;
  /** The chart in words: least, most, now, missing. */
  readonly summary: string;
  /** Signs and the numbers of the scale stand at a large one. */
  readonly isLarge?: boolean;
  /** Each line's name stands at its end; room is kept for it while the lines are on their way. */
  readonly isNamed?: boolean;
  readonly times: readonly number[];
  readonly lines: readonly TimeChartLine[];
  readonly picked?: string | undefined;
  readonly from: number;
  readonly to: number;
  /** The upper end of the scale; the lower is 0. */
  readonly most: number;
  /** The numbers at the top and in the middle of the scale. */
  readonly scale?: readonly [string, string];
  readonly ticks: readonly Tick[];
  readonly marks?: readonly TimeChartMark[];
  readonly cursor?: number | undefined;
  /** What the cursor stands at: "02:48, fra1-edge-03 9 Mbit/s". */
  readonly cursorWords: string;
  readonly onCursor: (at: number) => void;
  /** Pressed, by pointer or Enter: at a moment where there is one, near a line or near none. */
  readonly onPress?: ((at: number | undefined, line: string | undefined) => void) | undefined;
  /** By dragging; who does not drag has buttons elsewhere. */
  readonly onZoom?: ((from: number, to: number) => void) | undefined;
}

/**
 * Lines over time. One may be picked, the others are thin ink with their names: no palette, no legend. What was not measured is a gap.
 * The cursor is moved by pointer and by arrow keys, and belongs to all charts that are given the same one.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, summary, isLarge = false, isNamed = false, from, to, ticks, marks = [], cursor } = props;
  return (
    <figure className={cx(styles.chart, isLarge && styles.large, isNamed && styles.named)}>
      <figcaption className={styles.summary}>{summary}</figcaption>
      {isLarge && <Signs marks={marks} from={from} to={to} cursor={cursor} />}
      <div className={styles.field}>
        <div className={styles.grid} aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
        </div>
        {/* Nothing in it is read but its value: what a screen reader needs stands in the summary and in the table beside it. */}
        <div
          className={styles.hold}
          role="slider"
          tabIndex={0}
          aria-label={`${label}, minute`}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, props.times.length - 1)}
          aria-valuenow={Math.max(0, placeOf(props.times, cursor))}
          aria-valuetext={props.cursorWords}
          onKeyDown={(event) => step(event, props)}
        >
          <Canvas {...props} />
          {marks.filter(within(from, to)).map(({ key, at, state }) => (
            <i
              key={key}
              className={cx(styles.mark, state !== undefined && styles[toneOf(state)])}
              style={across(at, from, to)}
            />
          ))}
          {cursor !== undefined && cursor >= from && cursor <= to && (
            <i className={styles.cursor} style={across(cursor, from, to)} />
          )}
        </div>
        {isLarge && props.scale !== undefined && (
          <div className={styles.scale} aria-hidden="true">
            <span>{props.scale[0]}</span>
            <span>{props.scale[1]}</span>
          </div>
        )}
        {isNamed && <Names {...props} />}
      </div>
      <div className={styles.ticks} aria-hidden="true">
        {ticks.filter(within(from, to)).map(({ at, words }) => (
          <span key={at} className={styles[sideOf(at, from, to)]} style={across(at, from, to)}>
            {words}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** The lines themselves. Drawn anew when they, the range or the colours change; a cursor alone draws nothing. */
function Canvas({ times, lines, picked, from, to, most, onCursor, onPress, onZoom }: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const colours = useRef<HTMLSpanElement>(null);
  const theme = useThemeChange();
  const onMove = useEffectEvent(onCursor);
  const onDrag = useEffectEvent((begin: number, end: number) => onZoom?.(begin, end));
  const onClick = useEffectEvent((at: number, line: string | undefined) => {
    onCursor(at);
    onPress?.(at, line);
  });
  useEffect(() => {
    if (box.current === null || colours.current === null || lines.length === 0) return undefined;
    const [first, second, third, fourth] = [...colours.current.children].map((one) => getComputedStyle(one).color);
    const drawn = openPlot(
      box.current,
      { times, lines, picked, from, to, most },
      { picked: first ?? "", alone: second ?? "", quiet: third ?? "", band: fourth ?? "" },
      { onMove, onPress: onClick, onDrag },
    );
    return () => drawn.close();
  }, [times, lines, picked, from, to, most, theme]);
  return (
    <>
      <div ref={box} className={styles.canvas} />
      <span ref={colours} hidden>
        <i className={styles.inkPicked} />
        <i className={styles.inkAlone} />
        <i className={styles.inkQuiet} />
        <i className={styles.inkBand} />
      </span>
    </>
  );
}

/** In hundredths of the height: about as much as a line of small words needs. */
const nameGap = 5.5;
/** A name loses its middle: what tells it from the others is often at its end. */
const mostLetters = 16;

/** Each at the end of its line, or as near as the others let it. */
function Names({ lines, picked, most, from, to, times, onPress }: TimeChartProps) {
  const ends = lines.map(({ values }) => {
    const last = values.findLast((value, at) => typeof value === "number" && isBetween(times[at], from, to));
    return 100 * (1 - Math.min(1, (last ?? 0) / most));
  });
  const places = spreadOut(ends, nameGap, 100);
  return (
    <div className={styles.names} aria-hidden="true">
      {lines.map(({ key, name }, at) => (
        <button
          key={key}
          type="button"
          tabIndex={-1}
          className={cx(styles.name, key === picked && styles.picked)}
          style={{ top: `${places[at] ?? 0}%` }}
          title={name}
          onClick={() => onPress?.(undefined, key)}
        >
          {truncateMiddle(name, mostLetters)}
        </button>
      ))}
    </div>
  );
}

/** A sign for each mark, and words for the one that is nearest to the cursor: all of them would lie over each other. */
function Signs({ marks, from, to, cursor = to }: Pick<TimeChartProps, "marks" | "from" | "to" | "cursor">) {
  const shown = (marks ?? []).filter(within(from, to));
  const [nearest] = shown.toSorted((a, b) => Math.abs(a.at - cursor) - Math.abs(b.at - cursor));
  return (
    <div className={styles.signs} aria-hidden="true">
      {shown.map(({ key, at, state, words }) => {
        const place = (at - from) / Math.max(1, to - from);
        const room = Math.max(place, 1 - place) * 100;
        return (
          <span
            key={key}
            className={cx(styles.sign, place > 0.5 && styles.turned)}
            style={across(at, from, to)}
            title={words}
          >
            {state === undefined ? <i className={styles.dash} /> : <Mark state={state} size={12} />}
            {key === nearest?.key && (
              <b
                className={cx(state !== undefined && styles[toneOf(state)])}
                style={{ maxWidth: `calc(${room.toFixed(2)}cqw - 18px)` }}
              >
                {words}
              </b>
            )}
          </span>
        );
      })}
    </div>
  );
}

/** Keys that move the cursor, by points. */
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

function step(event: KeyboardEvent, { times, cursor, onCursor, onPress, from, to }: TimeChartProps): void {
  if (event.key === "Enter" && !event.repeat) onPress?.(cursor, undefined);
  const stride = strides[event.key];
  if (stride === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const shown = times.filter((at) => isBetween(at, from, to));
  const place = Math.max(0, placeOf(shown, cursor));
  const next = shown[Math.min(shown.length - 1, Math.max(0, place + stride))];
  if (next !== undefined) onCursor(next);
}

/** The point that a moment is in; the last where there is no moment. */
function placeOf(times: readonly number[], moment: number | undefined): number {
  return moment === undefined ? times.length - 1 : times.findLastIndex((at) => at <= moment);
}

function isBetween(at: number | undefined, from: number, to: number): boolean {
  return at !== undefined && at >= from && at <= to;
}

function within(from: number, to: number): (one: { readonly at: number }) => boolean {
  return ({ at }) => isBetween(at, from, to);
}

function across(at: number, from: number, to: number): { readonly left: string } {
  return { left: `${((100 * (at - from)) / Math.max(1, to - from)).toFixed(2)}%` };
}

function sideOf(at: number, from: number, to: number): "first" | "between" | "last" {
  const place = (at - from) / Math.max(1, to - from);
  return place < 0.05 ? "first" : place > 0.95 ? "last" : "between";
}

function toneOf(state: State): "bad" | "warn" | "plain" {
  if (state === "bad" || state === "refused" || state === "off") return "bad";
  return state === "back" || state === "warn" || state === "wait" ? "warn" : "plain";
}
