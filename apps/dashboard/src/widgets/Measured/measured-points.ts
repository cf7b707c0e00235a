import type { DrawnMetric } from "@gatehouse/contract";
import type { NodeMetrics } from "../../api/metrics.ts";

/** A stretch of time as a chart shows it, in milliseconds since 1970. */
export interface View {
  readonly from: number;
  readonly to: number;
}

export interface CurvePoints {
  readonly mean: readonly (number | null)[];
  readonly least: readonly (number | null)[];
  readonly most: readonly (number | null)[];
}

/** The moment at which a point is drawn: where it begins. */
export function pointTime({ from, stepSeconds }: NodeMetrics, at: number): number {
  return Date.parse(from) + at * stepSeconds * 1_000;
}

/** Which point a moment is in; none outside of what was asked for. */
export function pointAt(answer: NodeMetrics, moment: number): number | undefined {
  const at = Math.floor((moment - Date.parse(answer.from)) / (answer.stepSeconds * 1_000));
  return at >= 0 && at < answer.curves.cpu.mean.length ? at : undefined;
}

/** The newest points may not have come yet: as many are no gap. */
const mostLate = 3;

/** From the first point to the newest that any node has measured, so that lines end at the edge; the same for all charts. */
export function viewOf(answers: readonly NodeMetrics[]): View | undefined {
  if (answers.length === 0) return undefined;
  const from = Math.min(...answers.map((answer) => pointTime(answer, 0)));
  const step = Math.max(...answers.map(({ stepSeconds }) => stepSeconds * 1_000));
  const end = Math.max(...answers.map((answer) => pointTime(answer, answer.curves.cpu.mean.length - 1)));
  const newest = Math.max(
    ...answers.map((answer) => {
      const point = newestPoint(answer);
      return point === undefined ? Number.NEGATIVE_INFINITY : pointTime(answer, point);
    }),
  );
  return { from, to: Math.max(newest >= end - mostLate * step ? newest : end, from + step) };
}

/** The last point in which anything was measured. */
function newestPoint({ curves }: NodeMetrics): number | undefined {
  const last = Math.max(...Object.values(curves).map(({ mean }) => mean.findLastIndex((value) => value !== null)));
  return last < 0 ? undefined : last;
}

/** Curves of several nodes over one row of times. Where another node alone has a point, a curve has nothing to say: undefined. */
export interface Aligned {
  readonly times: readonly number[];
  readonly curves: readonly {
    readonly [Part in keyof CurvePoints]: readonly (number | null | undefined)[];
  }[];
}

/** Answers to one question lie on the same times. Two that came on both sides of a minute's end need not. */
export function alignCurves(answers: readonly NodeMetrics[], metric: DrawnMetric): Aligned {
  const rows = answers.map((answer) => answer.curves[metric].mean.map((_, at) => pointTime(answer, at)));
  const times = [...new Set(rows.flat())].toSorted((a, b) => a - b);
  const placeOf = new Map(times.map((time, at) => [time, at]));
  const curves = answers.map((answer, which) => {
    const spread = (values: readonly (number | null)[]) => {
      const row = Array.from<number | null | undefined>({ length: times.length });
      for (const [at, time] of (rows[which] ?? []).entries()) row[placeOf.get(time) ?? 0] = values[at] ?? null;
      return row;
    };
    const { mean, least, most } = answer.curves[metric];
    return { mean: spread(mean), least: spread(least), most: spread(most) };
  });
  return { times, curves };
}

/** A node's row beside the chart, as the values are kept. */
export interface MetricRow {
  readonly value: number | null;
  readonly least: number | null;
  readonly most: number | null;
  /** The newest of the stretch. */
  readonly now: number | null;
  /** Points without a value since the first that has one, but for those at the end that may yet come. */
  readonly missing: number;
}

export function rowAt(answer: NodeMetrics, metric: DrawnMetric, moment: number, view: View): MetricRow {
  const { mean, least, most } = answer.curves[metric];
  const at = pointAt(answer, moment);
  const first = mean.findIndex((value) => value !== null);
  const shown = mean.filter((_, point) => point >= first && pointTime(answer, point) <= view.to);
  return {
    value: at === undefined ? null : (mean[at] ?? null),
    least: smallest(least),
    most: largest(most),
    now: answer.latest?.[metric] ?? mean.findLast((value) => value !== null) ?? null,
    missing: first < 0 ? 0 : shown.filter((value) => value === null).length,
  };
}

/** The largest value of several nodes: what a scale has to hold. */
export function largestOf(answers: readonly NodeMetrics[], ...metrics: readonly DrawnMetric[]): number {
  return Math.max(0, ...answers.flatMap(({ curves }) => metrics.map((metric) => largest(curves[metric].most) ?? 0)));
}

function smallest(values: readonly (number | null)[]): number | null {
  return values.reduce((found, value) => (value === null || (found !== null && found <= value) ? found : value), null);
}

function largest(values: readonly (number | null)[]): number | null {
  return values.reduce((found, value) => (value === null || (found !== null && found >= value) ? found : value), null);
}
