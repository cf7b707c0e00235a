import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { utcClock, utcStretch } from "../../ui/time-axis.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { type HostMark, marksAround, togetherOf } from "../../widgets/Measured/host-marks.ts";
import type { View } from "../../widgets/Measured/measured-points.ts";
import { Named } from "../../widgets/PlanHosts/HostPicker.tsx";
import { WithIds } from "../../widgets/WithIds/WithIds.tsx";
import styles from "./MetricsPage.module.css";

export interface AroundMinuteProps {
  readonly marks: readonly HostMark[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly nameOf: (id: string) => string;
  readonly cursor: number;
  readonly view: View;
  readonly now: number;
}

const minute = 60_000;

/** What plans did to the drawn nodes near the cursor's minute, who of them started anew, and which alerts opened. For whoever reads the log. */
export function AroundMinute({ marks, isPending, error, onRetry, nameOf, cursor, view, now }: AroundMinuteProps) {
  // A twelfth of what is shown to either side: in an hour five minutes.
  const near = Math.max(5 * minute, Math.round((view.to - view.from) / 12 / minute) * minute);
  const found = togetherOf(marksAround(marks, cursor, near));
  const log = `/audit?from=${new Date(cursor - near).toISOString()}&to=${new Date(cursor + near).toISOString()}`;
  return (
    <Section title="Around that minute" more={{ href: log, label: "In the audit log" }}>
      {isPending && <Skeleton shape="lines" count={2} label="Reading what happened then" />}
      {error !== null && (
        <ApiErrorView error={error} title="What happened then could not be read" size="inline" onRetry={onRetry} />
      )}
      {!isPending && error === null && found.length === 0 && (
        <p className={styles.fine}>
          No plan ended on a node that is drawn, none of them started anew, and no open alert began:{" "}
          {utcStretch(cursor - near, cursor + near, now)}.
        </p>
      )}
      {found.length > 0 && (
        <ol className={styles.around}>
          {found.map(({ mark, nodes }) => (
            <li key={mark.key}>
              <time dateTime={new Date(mark.at).toISOString()}>{utcClock(mark.at)}</time>
              {mark.state === undefined ? <i className={styles.dash} /> : <Mark state={mark.state} />}
              <span>
                <Happened mark={mark} /> <Named nodes={nodes.map((id) => ({ name: nameOf(id) }))} />
                {mark.line !== undefined && (
                  <small>
                    <WithIds text={mark.line} />
                  </small>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function Happened({ mark: { title, href } }: { readonly mark: HostMark }) {
  if (title === undefined) return "Restarted:";
  return <>{href === undefined ? title : <Link href={href}>{title}</Link>} on</>;
}
