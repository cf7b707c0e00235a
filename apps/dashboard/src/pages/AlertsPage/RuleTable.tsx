import type { UseQueryResult } from "@tanstack/react-query";
import type { AlertRule } from "../../api/alerts.ts";
import { Button } from "../../ui/Button.tsx";
import { Link } from "../../ui/Link.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { sayScope } from "../../widgets/Alerts/say-scope.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { alertsHref } from "./alert-filter.ts";
import styles from "./AlertsPage.module.css";
import { sayRule } from "./say-rule.ts";

export interface RuleTableProps {
  readonly rules: UseQueryResult<{ readonly items: readonly AlertRule[] }>;
  readonly nodeNames: ReadonlyMap<string, string>;
  readonly opened: string | undefined;
  /** Undefined for whoever may only look. */
  readonly onOpen: ((id: string) => void) | undefined;
}

/** What is watched for, in plain words; the ones that are always there come first. */
export function RuleTable({ rules, nodeNames, opened, onOpen }: RuleTableProps) {
  const all = rules.data?.items;
  return (
    <div className={styles.panel}>
      {rules.isPending && <Skeleton shape="rows" count={5} columns={4} label="Reading rules" />}
      {rules.isError && (
        <ApiErrorView
          error={rules.error}
          title={all === undefined ? "Rules could not be read" : "This is not up to date"}
          size={all === undefined ? "block" : "inline"}
          onRetry={() => void rules.refetch()}
          retrying={rules.isFetching}
        />
      )}
      {all !== undefined && (
        <>
          {onOpen !== undefined && (
            <div className={styles.add}>
              <Button onClick={() => onOpen("new")}>Add a rule…</Button>
            </div>
          )}
          <Table
            label="Alert rules"
            columns={columnsOf(nodeNames)}
            rows={all}
            rowKey={({ id }) => id}
            {...(onOpen !== undefined && { onRow: ({ id }: AlertRule) => onOpen(id) })}
            selectedKey={opened}
          />
        </>
      )}
    </div>
  );
}

const columnsOf = (nodeNames: ReadonlyMap<string, string>): readonly Column<AlertRule>[] => [
  {
    key: "name",
    head: "Rule",
    least: 150,
    cell: ({ name, builtIn }) => (
      <>
        <b>{name}</b> {builtIn && <span className={styles.quiet}>built in</span>}
      </>
    ),
  },
  { key: "watch", head: "Opens an alert", least: 300, width: "wide", cell: ({ watch }) => sayRule(watch) },
  { key: "scope", head: "For", least: 160, cell: ({ appliesTo }) => sayScope(appliesTo, nodeNames) },
  {
    key: "open",
    head: "Open",
    least: 60,
    phoneLabel: true,
    cell: ({ id, open }) =>
      open === 0 ? (
        <span className={styles.quiet}>none</span>
      ) : (
        <Link href={alertsHref({ rule: id })} look="count">
          {open.toLocaleString("en-GB")}
        </Link>
      ),
  },
  {
    key: "state",
    head: "State",
    least: 70,
    phone: "time",
    cell: ({ enabled }) => (
      <StateMark state={enabled ? "ok" : "idle"} word={enabled ? "On" : "Off"} loud={false} size={9} />
    ),
  },
];
