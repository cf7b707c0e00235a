import type { DrawnMetric } from "@gatehouse/contract";
import { useMay } from "../../api/auth.ts";
import { cx } from "../../ui/cx.ts";
import { Link } from "../../ui/Link.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { utcMoment } from "../../ui/time-axis.ts";
import { logsHref } from "../../widgets/HostLogs/logs-address.ts";
import { largestOf, rowAt } from "../../widgets/Measured/measured-points.ts";
import { metricTitles, sayNumber, scaleOf } from "../../widgets/Measured/metric-scale.ts";
import type { Shown } from "./MetricChart.tsx";
import styles from "./MetricsPage.module.css";

export interface MetricTableProps {
  readonly shown: Shown;
  readonly metric: DrawnMetric;
  /** Whether the stretch ends now; the newest value of another is its last. */
  readonly isNow: boolean;
}

/** Every number of the large chart at the cursor's minute, and what the whole stretch had. Choosing a row picks its node. */
export function MetricTable({ shown, metric, isNow }: MetricTableProps) {
  const { answers, nameOf, picked, cursor, view, now } = shown;
  const mayLogs = useMay("log:read");
  const scale = scaleOf(metric, largestOf(answers, metric));
  const title = `At ${utcMoment(cursor, now)}`;
  const rows = answers.map((answer) => ({ node: answer.node, ...rowAt(answer, metric, cursor, view) }));
  return (
    <section aria-label={title}>
      <div className={styles.metricHead}>
        <h2>{title}</h2>
        <span className={cx(styles.quiet, styles.end)}>
          {[metricTitles[metric].toLowerCase().replace("cpu", "CPU"), scale.unit].filter(Boolean).join(", ")}
        </span>
      </div>
      <table className={styles.values}>
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">then</th>
            <th scope="col">least</th>
            <th scope="col">most</th>
            <th scope="col">{isNow ? "now" : "last"}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ node, value: then, least, most, now: newest }) => (
            <tr key={node} className={cx(node === picked && styles.pick)}>
              <th scope="row">
                <button type="button" aria-pressed={node === picked} onClick={() => shown.onPress(undefined, node)}>
                  <code>
                    <ShortText text={nameOf(node)} most={17} />
                  </code>
                </button>
              </th>
              {[then, least, most, newest].map((value, at) => (
                <td key={at}>{sayNumber(value, scale)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {mayLogs && answers.length > 0 && (
        <p className={styles.fine}>
          <Link href={logsOf(shown)} look="quiet">
            Logs of this minute
          </Link>
        </p>
      )}
      <p className={styles.fine}>
        {answers.length > 1 && "Choose a row or a line to pick it; move in the chart to change the minute. "}
        {sayMissing(
          rows.filter(({ most }) => most !== null).map(({ node, missing }) => ({ name: nameOf(node), missing })),
          answers[0]?.stepSeconds ?? 60,
        )}
      </p>
    </section>
  );
}

/** The lines of the picked node in the cursor's point, or of all nodes where none is picked. */
function logsOf({ answers, picked, cursor }: Shown): string {
  const stepMs = (answers[0]?.stepSeconds ?? 60) * 1_000;
  const from = Math.floor(cursor / stepMs) * stepMs;
  const nodes = picked === undefined ? answers.map(({ node }) => node) : [picked];
  return logsHref({ nodes, chosen: { from, to: from + stepMs } });
}

/** "No minute is missing.", or which nodes have gaps. */
function sayMissing(rows: readonly { readonly name: string; readonly missing: number }[], stepSeconds: number): string {
  const [one, many] = stepSeconds === 60 ? ["minute", "minutes"] : ["point", "points"];
  const gaps = rows.filter(({ missing }) => missing > 0);
  if (rows.length === 0) return "";
  if (gaps.length === 0) return `No ${one} is missing.`;
  const said = gaps.map(({ name, missing }) => `${missing.toLocaleString("en-GB")} of ${name}`);
  const isOne = gaps.length === 1 && gaps[0]?.missing === 1;
  return `${isOne ? `A ${one} is` : `Some ${many} are`} missing: ${said.join(", ")}.`;
}
