import type { Node } from "@gatehouse/contract/routes";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { alertsQuery } from "../../api/alerts.ts";
import { nodeMetricsQuery } from "../../api/metrics.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Empty } from "../../ui/Empty.tsx";
import { Link } from "../../ui/Link.tsx";
import { utcStretch } from "../../ui/time-axis.ts";
import { useClock } from "../../ui/use-clock.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { alertMarks, restartMarks, sayMark } from "../../widgets/Measured/host-marks.ts";
import { viewOf } from "../../widgets/Measured/measured-points.ts";
import { chosenMetrics, metricTitles } from "../../widgets/Measured/metric-scale.ts";
import { type MetricsAddress, metricsHref, mostNodes } from "../../widgets/Measured/metrics-address.ts";
import {
  type GoingStretch,
  goingStretches,
  pointsFor,
  wholeMinutes,
  zoomed,
} from "../../widgets/Measured/stretches.ts";
import { combineReads, useHostMarks } from "../../widgets/Measured/use-host-marks.ts";
import { firstNodes } from "../../widgets/NodeChooser/choose-nodes.ts";
import { NodeChooser } from "../../widgets/NodeChooser/NodeChooser.tsx";
import { AroundMinute } from "./AroundMinute.tsx";
import { MetricChart, type Shown } from "./MetricChart.tsx";
import { MetricTable } from "./MetricTable.tsx";
import styles from "./MetricsPage.module.css";

export interface CompareNodesProps {
  readonly nodes: readonly Node[];
  readonly address: MetricsAddress;
  /** Another address in the place of this one. */
  readonly onShow: (change: Partial<MetricsAddress>) => void;
}

/** One range and one minute for all charts; the chosen metric is the large one. */
export function CompareNodes({ nodes, address, onShow }: CompareNodesProps) {
  const { metric, range, stretch } = address;
  const now = useClock();
  const offered = useMemo(() => firstNodes(nodes), [nodes]);
  const ids = address.nodes ?? offered;
  const names = useMemo(() => new Map(nodes.map(({ id, name }) => [id, name])), [nodes]);
  const nameOf = useCallback((id: string) => names.get(id) ?? id, [names]);
  const reads = useQueries({
    queries: ids.map((id) => nodeMetricsQuery(id, stretch, pointsFor(stretch))),
    combine: combineReads,
  });
  const answers = useMemo(() => reads.answers.filter((answer) => answer !== undefined), [reads.answers]);
  const view = useMemo(() => viewOf(answers) ?? emptyView(stretch, now), [answers, stretch, now]);
  const [moved, setMoved] = useState<number>();
  const at = moved ?? address.at ?? view.to;
  const changes = useHostMarks(ids, stretch);
  const alerts = useQuery(alertsQuery()).data?.items;
  const happened = useMemo(() => {
    const drawn = (alerts ?? []).filter(({ node }) => ids.includes(node));
    return [...changes.marks, ...answers.flatMap(restartMarks), ...alertMarks(drawn)];
  }, [changes.marks, answers, alerts, ids]);
  const picked =
    answers.length < 2 ? undefined : (answers.find(({ node }) => node === address.pick) ?? answers[0])?.node;
  const zoom = (from: number, to: number): void => {
    const next = wholeMinutes(from, to, Date.now());
    // The minute goes along, where it is in it.
    onShow({ range: "own", stretch: next, at: at >= next.from && at < next.to ? at : undefined });
  };
  const shown: Shown = {
    count: ids.length,
    answers,
    nameOf,
    view,
    picked,
    cursor: at >= view.from && at <= view.to ? at : view.to,
    // Those of the picked node: five hosts that one plan changed would be five signs in one place.
    marks: happened
      .filter(({ node }) => node === (picked ?? answers[0]?.node))
      .map((mark) => ({ key: mark.key, at: mark.at, state: mark.state, words: sayMark(mark, now) })),
    now,
    onCursor: setMoved,
    onPress: (moment, line) => onShow({ at: moment ?? address.at, pick: line ?? address.pick }),
    onZoom: zoom,
  };
  const turnTo = (by: number) => () => {
    const next = zoomed(view, shown.cursor, by, Date.now());
    if ("from" in next) zoom(next.from, next.to);
  };
  const isEmpty = !reads.isPending && answers.length > 0 && answers.every(({ minutes }) => minutes === 0);
  const failed = reads.errors.filter((error) => error !== null).length;
  return (
    <>
      <header className={styles.head}>
        <h1>Metrics</h1>
        <div className={styles.chooser}>
          <NodeChooser
            nodes={nodes}
            chosen={ids}
            most={mostNodes}
            nameOf={nameOf}
            onChoose={(next) => onShow({ nodes: next })}
          />
        </div>
        <p className={styles.range}>
          <Clock size={15} strokeWidth={1.6} aria-hidden="true" />
          {utcStretch(view.from, view.to, now)}
          <span>{range === "own" ? "UTC" : `UTC, ${goingStretches[range].words}`}</span>
        </p>
      </header>
      <div className={styles.bar}>
        <nav aria-label="Metric">
          {chosenMetrics.map((one) => (
            <Link
              key={one}
              href={metricsHref({ ...address, metric: one })}
              look="bare"
              aria-current={one === metric ? "true" : undefined}
            >
              {metricTitles[one]}
            </Link>
          ))}
        </nav>
        <nav aria-label="Range" className={styles.ranges}>
          {(Object.keys(goingStretches) as GoingStretch[]).map((one) => (
            <Link
              key={one}
              href={metricsHref({ ...address, range: one, stretch: goingStretches[one], at: undefined })}
              look="bare"
              aria-current={one === range ? "true" : undefined}
            >
              {goingStretches[one].label}
            </Link>
          ))}
        </nav>
      </div>
      {ids.length === 0 ? (
        <Empty
          title="No node is chosen"
          action={<Button onClick={() => onShow({ nodes: undefined })}>Show the first few</Button>}
        >
          <p>Add one above by its name, or some of them by a tag.</p>
        </Empty>
      ) : (
        <div className={styles.columns} aria-busy={reads.isPending || undefined}>
          <div className={styles.large}>
            {reads.error !== null && (
              <ApiErrorView
                error={reads.error}
                title={
                  failed === ids.length
                    ? "Nothing measured could be read"
                    : `${failed} of ${ids.length} nodes could not be read`
                }
                size={answers.length === 0 ? "block" : "inline"}
                onRetry={reads.retry}
              />
            )}
            {isEmpty && (
              <p className={styles.fine}>
                {range === "own" ? "Nothing was measured in this time." : "The first value comes within a minute."}
              </p>
            )}
            <MetricChart
              shown={shown}
              metric={metric}
              isLarge
              title={<h2>{metricTitles[metric]}</h2>}
              aside={
                <span className={cx(styles.quiet, styles.end)}>
                  <span className={styles.hint}>Drag to zoom all charts. </span>
                  <Button look="bare" size="small" onClick={turnTo(0.5)}>
                    Closer
                  </Button>
                  <Button look="bare" size="small" onClick={turnTo(2)}>
                    Wider
                  </Button>
                </span>
              }
            />
          </div>
          <aside className={styles.beside}>
            <MetricTable shown={shown} metric={metric} isNow={range !== "own"} />
            {changes.isKnown && (
              <AroundMinute
                marks={happened}
                isPending={changes.isPending}
                error={changes.error}
                onRetry={changes.retry}
                nameOf={nameOf}
                cursor={shown.cursor}
                view={view}
                now={now}
              />
            )}
          </aside>
          <div className={styles.small}>
            {chosenMetrics
              .filter((one) => one !== metric)
              .map((one) => (
                <MetricChart
                  key={one}
                  shown={shown}
                  metric={one}
                  title={
                    <h2>
                      <Link href={metricsHref({ ...address, metric: one })} look="bare">
                        {metricTitles[one]}
                      </Link>
                    </h2>
                  }
                />
              ))}
          </div>
        </div>
      )}
    </>
  );
}

/** Before the first answer: frames with their axes. */
function emptyView(stretch: MetricsAddress["stretch"], now: number) {
  return "lastMs" in stretch ? { from: now - stretch.lastMs, to: now } : stretch;
}
