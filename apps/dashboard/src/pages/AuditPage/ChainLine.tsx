import { useQuery } from "@tanstack/react-query";
import { auditVerifyQuery } from "../../api/audit.ts";
import { Button } from "../../ui/Button.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import styles from "./AuditPage.module.css";

/** Whether the chain is whole, as far as the server was asked. It walks every record, so a person starts it. */
export function ChainLine() {
  const { data, error, isFetching, isError, refetch, dataUpdatedAt } = useQuery({
    ...auditVerifyQuery,
    enabled: false,
  });
  return (
    <div className={styles.chain} role="status">
      {isFetching ? (
        <StateMark state="run" word="Checking every link of the chain" />
      ) : data === undefined ? (
        <StateMark state="idle" word="Chain not verified yet" />
      ) : data.ok ? (
        <span>
          <StateMark state="ok" word={`Chain verified to #${said(data.head.position)}`} />{" "}
          <span className={styles.none}>
            {said(data.records)} records
            {data.floor.position > 0 && ` from #${said(data.floor.position + 1)} on (older ones were pruned)`},{" "}
            <Time at={dataUpdatedAt} />
          </span>
        </span>
      ) : (
        <span className={styles.broken}>
          <StateMark state="bad" word={`Chain broken at #${said(data.broken?.position ?? 0)}`} />
          <span>
            Expected link <code>{data.broken?.expected}</code>, found <code>{data.broken?.found}</code>. Stop the server
            and check its files with <code>gatehouse audit verify</code>.
          </span>
        </span>
      )}
      <Button size="small" busy={isFetching} onClick={() => void refetch()}>
        Verify now
      </Button>
      {isError && !isFetching && <ApiErrorView error={error} title="The chain was not verified" size="inline" />}
    </div>
  );
}

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
