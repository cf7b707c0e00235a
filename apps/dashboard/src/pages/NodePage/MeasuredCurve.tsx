import type { NodeMetrics } from "../../api/metrics.ts";
import { cx } from "../../ui/cx.ts";
import { Mark } from "../../ui/StateMark.tsx";
import { axisTicks } from "../../ui/time-axis.ts";
import { type HostMark, sayMark } from "../../widgets/Measured/host-marks.ts";
import { pointTime, rowAt, type View } from "../../widgets/Measured/measured-points.ts";
import { metricTitles, sayValue } from "../../widgets/Measured/metric-scale.ts";
import styles from "./Measured.module.css";
import { curvePath, type MeasuredRow } from "./measured-rows.ts";

interface CurveProps {
  readonly row: MeasuredRow;
  /** "last hour" */
  readonly over: string;
  readonly answer: NodeMetrics | undefined;
  readonly view: View;
  readonly marks: readonly HostMark[];
}

/** The curves of one row over one stretch: lines of an SVG that is as wide as its points, whatever room it has. */
export function Curve({ row, over, answer, view, marks }: CurveProps) {
  const { label, metrics, scale } = row;
  const points =
    answer === undefined ? 1 : Math.max(1, (view.to - pointTime(answer, 0)) / (answer.stepSeconds * 1_000));
  const said =
    answer === undefined ? "being read" : metrics.map((metric) => sayCurve(answer, metric, row, view)).join("; ");
  return (
    <svg
      className={styles.curve}
      viewBox={`0 0 ${points} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}, ${over}: ${said}`}
    >
      <path className={styles.edge} d={`M0 0H${points}M0 100H${points}`} />
      {marks.map(({ key, at, state }) => {
        const x = (points * (at - view.from)) / (view.to - view.from);
        return (
          <path key={key} className={cx(styles.mark, state !== undefined && styles[toneOf(state)])} d={`M${x} 0V100`} />
        );
      })}
      {answer !== undefined &&
        metrics.map((metric, at) => (
          <path
            key={metric}
            className={cx(styles.line, at > 0 && styles.second)}
            d={curvePath(answer.curves[metric].mean, scale)}
          />
        ))}
    </svg>
  );
}

function sayCurve(
  answer: NodeMetrics,
  metric: MeasuredRow["metrics"][number],
  { scale, metrics }: MeasuredRow,
  view: View,
) {
  const { least, most, now, missing } = rowAt(answer, metric, view.to, view);
  const name = metrics.length > 1 ? `${metricTitles[metric].toLowerCase()} ` : "";
  if (most === null) return `${name}nothing measured`;
  const gaps = missing === 0 ? "nothing missing" : `${missing} of its points missing`;
  return `${name}least ${sayValue(least, scale)}, most ${sayValue(most, scale)}, now ${sayValue(now, scale)}, ${gaps}`;
}

interface LaneProps {
  readonly marks: readonly HostMark[];
  readonly view: View;
  readonly now: number;
}

/** Above the curves: a sign for each thing that happened, and words for the last of them. */
export function Lane({ marks, view, now }: LaneProps) {
  const newest = marks.toSorted((a, b) => b.at - a.at)[0];
  return (
    <ul className={styles.lane}>
      {marks.map((mark) => {
        const place = (mark.at - view.from) / (view.to - view.from);
        const words = sayMark(mark, now);
        return (
          <li
            key={mark.key}
            className={cx(place > 0.5 && styles.turned)}
            style={{ left: `${(100 * place).toFixed(2)}%` }}
          >
            {mark.state === undefined ? <i className={styles.dash} /> : <Mark state={mark.state} />}
            <span
              style={{ maxWidth: `calc(${(100 * Math.max(place, 1 - place)).toFixed(2)}cqw - 18px)` }}
              className={cx(mark === newest ? styles.words : styles.unseen, mark.state && styles[toneOf(mark.state)])}
            >
              {words}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

export function Times({ view }: { readonly view: View }) {
  return (
    <div className={styles.times} aria-hidden="true">
      {axisTicks(view.from, view.to, 5).map(({ at, words }) => {
        const place = (at - view.from) / (view.to - view.from);
        const side = place < 0.06 ? styles.first : place > 0.94 ? styles.last : undefined;
        return (
          <span key={at} className={side} style={{ left: `${(100 * place).toFixed(2)}%` }}>
            {words}
          </span>
        );
      })}
    </div>
  );
}

function toneOf(state: NonNullable<HostMark["state"]>): "bad" | "warn" | "plain" {
  if (state === "bad" || state === "refused" || state === "off") return "bad";
  return state === "back" || state === "warn" || state === "wait" ? "warn" : "plain";
}
