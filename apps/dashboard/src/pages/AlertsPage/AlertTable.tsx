import type { Alert } from "../../api/alerts.ts";
import { Button } from "../../ui/Button.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { ClockTime, SaidAlert } from "../../widgets/Alerts/SaidAlert.tsx";
import { sayAlert } from "../../widgets/Alerts/say-alert.ts";
import { alertMarks, alertStateOf, sayCare } from "../../widgets/Alerts/say-care.ts";
import styles from "./AlertsPage.module.css";

export interface AlertActs {
  readonly onAcknowledge: (alert: Alert) => void;
  readonly onSilence: (alert: Alert) => void;
}

export interface AlertTableProps {
  readonly alerts: readonly Alert[];
  readonly nameOf: (actor: string) => string;
  readonly now: number;
  /** Undefined for whoever may only look. */
  readonly acts: AlertActs | undefined;
}

/** One line each: host, value, rule, since when, who looks after it. A row leads to its host. */
export function AlertTable({ alerts, nameOf, now, acts }: AlertTableProps) {
  return (
    <Table
      label="Open alerts"
      columns={columnsOf(nameOf, now, acts)}
      rows={alerts}
      rowKey={({ id }) => id}
      rowHref={({ node }) => `/nodes/${node}`}
    />
  );
}

const columnsOf = (
  nameOf: AlertTableProps["nameOf"],
  now: number,
  acts: AlertActs | undefined,
): readonly Column<Alert>[] => [
  {
    key: "node",
    head: "Node",
    px: 245,
    least: 245,
    cell: (alert) => (
      <span className={styles.node}>
        <StateMark {...alertMarks[alertStateOf(alert)]} hideWord />
        <code>
          <ShortText text={alert.nodeName} most={25} />
        </code>
      </span>
    ),
  },
  { key: "alert", head: "Alert", px: 240, least: 240, cell: (alert) => <SaidAlert alert={alert} /> },
  {
    key: "since",
    head: "Since",
    px: 80,
    least: 80,
    phone: "time",
    cell: ({ since }) => (
      <span className={styles.since}>
        <span className={styles.sinceWord}>since </span>
        <ClockTime at={since} />
      </span>
    ),
  },
  {
    key: "care",
    head: "Looked after",
    least: 190,
    width: "wide",
    cell: (alert) => {
      const said = sayCare(alert, nameOf, now);
      if (said === "") return <span className={styles.quiet}>by nobody yet</span>;
      const note = alert.acknowledged?.note ?? null;
      return note === null ? said : `${said} “${note}”`;
    },
  },
  ...(acts === undefined
    ? []
    : [
        {
          key: "act",
          head: "Action",
          // Both buttons beside each other, also where so many rows are there that only some are drawn.
          px: 215,
          least: 215,
          align: "end",
          phone: "act",
          cell: (alert: Alert) => <Acts alert={alert} {...acts} />,
        } satisfies Column<Alert>,
      ]),
];

function Acts({ alert, onAcknowledge, onSilence }: { readonly alert: Alert } & AlertActs) {
  const about = `${sayAlert(alert).what} on ${alert.nodeName}`;
  return (
    <span className={styles.acts}>
      {alert.acknowledged === null && (
        <Button size="small" onClick={() => onAcknowledge(alert)}>
          Acknowledge…<VisuallyHidden> {about}</VisuallyHidden>
        </Button>
      )}
      {alert.silencedUntil === null && (
        <Button size="small" look="bare" onClick={() => onSilence(alert)}>
          Silence…<VisuallyHidden> {about}</VisuallyHidden>
        </Button>
      )}
    </span>
  );
}
