import type { Node } from "@gatehouse/contract/routes";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import type { OpenAlerts } from "../../api/alerts.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useClock } from "../../ui/use-clock.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { type AlertFilter, filterAlerts, sortAlerts } from "./alert-filter.ts";
import { AlertFilters } from "./AlertFilters.tsx";
import styles from "./AlertsPage.module.css";
import { type AlertActs, AlertTable } from "./AlertTable.tsx";

export interface OpenListProps {
  readonly alerts: UseQueryResult<OpenAlerts>;
  readonly nodes: readonly Node[];
  readonly filter: AlertFilter;
  readonly nameOf: (actor: string) => string;
  readonly acts: AlertActs | undefined;
  readonly onFilter: (filter: AlertFilter) => void;
}

/** What has crossed a line and has not come back. What ended stands in the audit log. */
export function OpenList({ alerts, nodes, filter, nameOf, acts, onFilter }: OpenListProps) {
  const now = useClock();
  const all = alerts.data?.items;
  const rows = useMemo(() => sortAlerts(filterAlerts(all ?? [], filter, nodes)), [all, filter, nodes]);
  const unkept = alerts.data?.unkept ?? 0;
  return (
    <div className={styles.panel}>
      {alerts.isPending && <Skeleton shape="rows" count={8} columns={5} label="Reading alerts" />}
      {alerts.isError && (
        <ApiErrorView
          error={alerts.error}
          title={all === undefined ? "Alerts could not be read" : "This is not up to date"}
          size={all === undefined ? "block" : "inline"}
          onRetry={() => void alerts.refetch()}
          retrying={alerts.isFetching}
        />
      )}
      {unkept > 0 && (
        <Banner state="warn" title={`${unkept.toLocaleString("en-GB")} more alerts are open and are not listed.`}>
          The server keeps 10,000 at once. A rule may be set for fewer hosts, or switched off.
        </Banner>
      )}
      {all?.length === 0 && (
        <Empty title="Nothing crosses a line.">
          <p>A host that crosses a rule stands here until it is well again. What ended stands in the audit log.</p>
        </Empty>
      )}
      {all !== undefined && all.length > 0 && (
        <>
          <AlertFilters alerts={all} nodes={nodes} filter={filter} onChange={onFilter} />
          {rows.length === 0 ? (
            <Empty
              title="No open alert matches"
              action={<Button onClick={() => onFilter({})}>Clear the filter</Button>}
            >
              All conditions have to hold together. {all.length === 1 ? "1 alert is" : `${all.length} alerts are`} open
              in all.
            </Empty>
          ) : (
            <AlertTable alerts={rows} nameOf={nameOf} now={now} acts={acts} />
          )}
        </>
      )}
    </div>
  );
}
