import type { Node } from "@gatehouse/contract/routes";
import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useMay } from "../../api/auth.ts";
import { type NodeMetrics, nodeMetricsQuery } from "../../api/metrics.ts";
import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { useClock } from "../../ui/use-clock.ts";
import { usePhone } from "../../ui/use-phone.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { logsHref } from "../../widgets/HostLogs/logs-address.ts";
import { type HostMark, restartMarks } from "../../widgets/Measured/host-marks.ts";
import { viewOf } from "../../widgets/Measured/measured-points.ts";
import { goingStretches, pointsFor, stepWords } from "../../widgets/Measured/stretches.ts";
import { combineReads, useHostMarks } from "../../widgets/Measured/use-host-marks.ts";
import styles from "./Measured.module.css";
import { type MeasuredRow, measuredRows } from "./measured-rows.ts";
import { Curve, Lane, Times } from "./MeasuredCurve.tsx";

const shownStretches = ["hour", "day"] as const;
type ShownStretch = (typeof shownStretches)[number];

/** What the host measures of itself: the last hour and its day, side by side on one scale. On a phone one of them. */
export function Measured({ node }: { readonly node: Pick<Node, "id" | "state"> }) {
  const { id, state } = node;
  const isPhone = usePhone();
  const mayLogs = useMay("log:read");
  const now = useClock();
  const [chosen, setChosen] = useState<ShownStretch>("hour");
  const shown = isPhone ? [chosen] : shownStretches;
  const reads = useQueries({
    queries: shownStretches.map((name) => ({
      ...nodeMetricsQuery(id, goingStretches[name], pointsFor(goingStretches[name])),
      // The newest minute stands in the hour, whichever is shown.
      enabled: name === "hour" || shown.includes(name),
    })),
    combine: combineReads,
  });
  const nodes = useMemo(() => [id], [id]);
  const changes = useHostMarks(nodes, goingStretches[shown.includes("day") ? "day" : "hour"]);
  const answers = reads.answers.filter((answer) => answer !== undefined);
  const rows = measuredRows(answers);
  const isEmpty = answers.length > 0 && !reads.isPending && answers.every(({ minutes }) => minutes === 0);
  return (
    <Section
      title="Measured"
      aside={
        <>
          {isPhone && <Switch chosen={chosen} onChoose={setChosen} />}
          <Link href={`/metrics?nodes=${id}`} look="quiet">
            Compare with other nodes
          </Link>
          {mayLogs && (
            <Link href={logsHref({ nodes: [id] })} look="quiet">
              Logs of this host
            </Link>
          )}
        </>
      }
    >
      {reads.error !== null && (
        <ApiErrorView
          error={reads.error}
          title={answers.length === 0 ? "What it measured could not be read" : "This is not up to date"}
          size={answers.length === 0 ? "block" : "inline"}
          onRetry={reads.retry}
        />
      )}
      {isEmpty && (
        <p className={styles.empty}>
          {state === "online" ? "The first value comes within a minute." : "Nothing was measured in the last day."}
        </p>
      )}
      {(answers.length > 0 || reads.isPending) && !isEmpty && (
        <div className={styles.measured} aria-busy={reads.isPending || undefined}>
          <Labels rows={rows} />
          {shown.map((name) => (
            <Stretched
              key={name}
              name={name}
              answer={reads.answers[shownStretches.indexOf(name)]}
              rows={rows}
              marks={changes.marks}
              now={now}
            />
          ))}
        </div>
      )}
    </Section>
  );
}

function Switch({
  chosen,
  onChoose,
}: {
  readonly chosen: ShownStretch;
  readonly onChoose: (name: ShownStretch) => void;
}) {
  return (
    <span className={styles.switch} role="group" aria-label="Measured over">
      {shownStretches.map((name) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {goingStretches[name].label}
        </button>
      ))}
    </span>
  );
}

/** The names of the rows with what they are now. */
function Labels({ rows }: { readonly rows: readonly MeasuredRow[] }) {
  return (
    <dl className={styles.labels}>
      {rows.map(({ label, now, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{now}</dd>
          <dd className={styles.note}>{note}</dd>
        </div>
      ))}
    </dl>
  );
}

interface StretchedProps {
  readonly name: ShownStretch;
  /** Undefined while it is read: frames with their axes. */
  readonly answer: NodeMetrics | undefined;
  readonly rows: readonly MeasuredRow[];
  readonly marks: readonly HostMark[];
  readonly now: number;
}

/** One stretch of time, row under row, with what happened as lines through all of them. */
function Stretched({ name, answer, rows, marks, now }: StretchedProps) {
  const view = (answer && viewOf([answer])) ?? { from: now - goingStretches[name].lastMs, to: now };
  // Each stretch says of its own points in which of them the host came up again.
  const within = [...marks, ...(answer ? restartMarks(answer) : [])].filter(
    ({ at }) => at >= view.from && at <= view.to,
  );
  return (
    <div className={styles.stretch}>
      <p className={styles.over}>
        <span>Last {name}</span> <span>{answer && stepWords(answer.stepSeconds)}</span>
      </p>
      <Lane marks={within} view={view} now={now} />
      {rows.map((row) => (
        <Curve key={row.label} row={row} over={goingStretches[name].words} answer={answer} view={view} marks={within} />
      ))}
      <Times view={view} />
    </div>
  );
}
