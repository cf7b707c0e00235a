import type { DrawnMetric } from "@gatehouse/contract";
import { type ReactNode, useMemo } from "react";
import type { NodeMetrics } from "../../api/metrics.ts";
import { axisTicks, utcMoment } from "../../ui/time-axis.ts";
import { TimeChart, type TimeChartMark } from "../../ui/TimeChart.tsx";
import { alignCurves, largestOf, rowAt, type View } from "../../widgets/Measured/measured-points.ts";
import { metricTitles, sayNumber, sayScale, sayValue, scaleOf } from "../../widgets/Measured/metric-scale.ts";
import { stepWords } from "../../widgets/Measured/stretches.ts";
import styles from "./MetricsPage.module.css";

/** What all charts of the page have in common. */
export interface Shown {
  /** How many nodes are drawn, also before their answers are here. */
  readonly count: number;
  readonly answers: readonly NodeMetrics[];
  readonly nameOf: (id: string) => string;
  readonly view: View;
  readonly picked: string | undefined;
  readonly cursor: number;
  readonly marks: readonly TimeChartMark[];
  readonly now: number;
  readonly onCursor: (at: number) => void;
  readonly onPress: (at: number | undefined, line: string | undefined) => void;
  readonly onZoom: (from: number, to: number) => void;
}

export interface MetricChartProps {
  readonly shown: Shown;
  readonly metric: DrawnMetric;
  readonly isLarge?: boolean;
  readonly title: ReactNode;
  readonly aside?: ReactNode;
}

/** One metric of all chosen nodes, on a scale that holds the busiest of them. */
export function MetricChart({ shown, metric, isLarge = false, title, aside }: MetricChartProps) {
  const { answers, nameOf, view, picked, cursor, marks, now } = shown;
  const scale = scaleOf(metric, largestOf(answers, metric));
  const { factor, most } = scale;
  const aligned = useMemo(() => alignCurves(answers, metric), [answers, metric]);
  const lines = useMemo(() => {
    const inUnit = (values: readonly (number | null | undefined)[]) =>
      values.map((value) => (value === null || value === undefined ? value : value * factor));
    return aligned.curves.map(({ mean, least, most: highest }, at) => {
      const { node = "", stepSeconds = 60 } = answers[at] ?? {};
      return {
        key: node,
        name: nameOf(node),
        values: inUnit(mean),
        band: stepSeconds > 60 ? { least: inUnit(least), most: inUnit(highest) } : undefined,
      };
    });
  }, [aligned, answers, nameOf, factor]);
  const step = answers[0] === undefined ? "" : `, ${stepWords(answers[0].stepSeconds)}`;
  const upTo = `to ${sayScale(scale)}`;
  return (
    <section className={styles.metric} aria-label={metricTitles[metric]}>
      <div className={styles.metricHead}>
        {title}
        <span className={styles.quiet}>{`${scale.words}${isLarge ? step : ""}, ${upTo}`}</span>
        {aside}
      </div>
      <TimeChart
        label={metricTitles[metric]}
        summary={sayChart(shown, metric)}
        isLarge={isLarge}
        isNamed={isLarge && shown.count > 1}
        times={aligned.times}
        lines={lines}
        picked={picked}
        from={view.from}
        to={view.to}
        most={most}
        scale={[sayScale(scale), sayScale(scale, 0.5)]}
        ticks={axisTicks(view.from, view.to, 5)}
        marks={marks}
        cursor={cursor}
        cursorWords={[utcMoment(cursor, now), ...sayCursor(shown, metric)].join(", ")}
        onCursor={shown.onCursor}
        onPress={shown.onPress}
        onZoom={shown.onZoom}
      />
    </section>
  );
}

/** The picked node at the cursor's minute; of several of which none is picked, nothing: the table has them. */
function sayCursor({ answers, picked, nameOf, cursor, view }: Shown, metric: DrawnMetric): readonly string[] {
  const scale = scaleOf(metric, largestOf(answers, metric));
  return answers
    .filter(({ node }) => node === picked || answers.length === 1)
    .map((answer) => `${nameOf(answer.node)} ${sayValue(rowAt(answer, metric, cursor, view).value, scale)}`);
}

/** The chart in words, for whoever does not see it. */
function sayChart({ answers, nameOf, view, cursor }: Shown, metric: DrawnMetric): string {
  const scale = scaleOf(metric, largestOf(answers, metric));
  const each = answers.map((answer) => {
    const { least, most, now, missing } = rowAt(answer, metric, cursor, view);
    if (most === null) return `${nameOf(answer.node)}: nothing measured.`;
    const gaps = missing === 0 ? "none missing" : `${missing} missing`;
    return `${nameOf(answer.node)}: least ${sayNumber(least, scale)}, most ${sayNumber(most, scale)}, now ${sayNumber(now, scale)}, ${gaps}.`;
  });
  return [`${metricTitles[metric]}, ${scale.words}.`, ...each].join(" ");
}
