import { useQuery } from "@tanstack/react-query";
import { type AuditCheck, type AuditVerification, auditCheckQuery, auditVerifyQuery } from "../../api/audit.ts";
import { Button } from "../../ui/Button.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import styles from "./AuditPage.module.css";

/** Whether the log is as it was written: what the server found by itself and when, or what it finds when it is asked now. */
export function ChainLine() {
  const check = useQuery(auditCheckQuery);
  const { data, error, isFetching, isError, refetch, dataUpdatedAt } = useQuery(auditVerifyQuery);
  return (
    <div className={styles.chain} role="status">
      {isFetching ? (
        <StateMark state="run" word="Checking every link of the chain" />
      ) : data === undefined ? (
        <Checked check={check.data} />
      ) : (
        <Verified found={data} at={dataUpdatedAt} />
      )}
      <Button size="small" busy={isFetching} onClick={() => void refetch()}>
        Verify now
      </Button>
      {isError && !isFetching && <ApiErrorView error={error} title="The chain was not verified" size="inline" />}
      {check.isError && data === undefined && (
        <ApiErrorView error={check.error} title="What the server checked could not be read" size="inline" />
      )}
    </div>
  );
}

function Checked({ check }: { readonly check: AuditCheck | undefined }) {
  if (check === undefined) return null;
  const { state, position, endedAt, broken, rebuilt } = check;
  if (state === "checking") return <StateMark state="run" word="The server checks the whole log since its start" />;
  if (broken !== null) return <Broken at={broken.position} {...broken} />;
  return (
    <span className={styles.broken}>
      <span>
        <StateMark state="ok" word={`Log and search checked to #${said(position ?? 0)}`} />{" "}
        <span className={styles.none}>by the server itself, {endedAt !== null && <Time at={endedAt} />}</span>
      </span>
      {rebuilt !== null && (
        <span>
          <StateMark state="warn" word={`${rebuilt.file} was edited or damaged`} />{" "}
          <span className={styles.none}>
            Search at #{said(rebuilt.position)} was not what the entries say, and was made anew from them.{" "}
            {rebuilt.todo}
          </span>
        </span>
      )}
    </span>
  );
}

function Verified({ found, at }: { readonly found: AuditVerification; readonly at: number }) {
  const { ok, head, records, floor, broken } = found;
  if (!ok) return <Broken at={broken?.position ?? head.position} file={broken?.file} {...broken} />;
  return (
    <span>
      <StateMark state="ok" word={`Chain verified to #${said(head.position)}`} />{" "}
      <span className={styles.none}>
        {said(records)} records
        {floor.position > 0 && ` from #${said(floor.position + 1)} on (older ones were pruned)`}, <Time at={at} />
      </span>
    </span>
  );
}

interface BrokenProps {
  readonly at: number;
  readonly file?: string | undefined;
  readonly expected?: string;
  readonly found?: string;
  readonly todo?: string;
}

function Broken({ at, file = "the log", expected, found, todo }: BrokenProps) {
  return (
    <span className={styles.broken}>
      <StateMark state="bad" word={`Chain broken at #${said(at)}, in ${file}`} />
      <span>
        Expected <code>{expected}</code>, found <code>{found}</code>.{" "}
        {todo ?? "Stop the server and look at its files with gatehouse state recover."}
      </span>
    </span>
  );
}

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
