import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type AuditCheck, type AuditVerification, auditCheckQuery, verifyAudit } from "../../api/audit.ts";
import { Button } from "../../ui/Button.tsx";
import { Link } from "../../ui/Link.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { type Broken, type ChainVerdict, chainVerdict, newerWords } from "../../widgets/chain-verdict.ts";
import styles from "./AuditPage.module.css";

/** Whether the log is as it was written: what the server found by itself and when, or what it finds when it is asked now. */
export function ChainLine() {
  const client = useQueryClient();
  const check = useQuery(auditCheckQuery);
  // Held by this page alone, and gone with it.
  const asked = useMutation({
    mutationFn: async () => ({ found: await verifyAudit(), at: Date.now() }),
    onSettled: () => client.invalidateQueries({ queryKey: auditCheckQuery.queryKey }),
  });
  const verdict = chainVerdict(check.data, asked.data?.found);
  return (
    <div className={styles.chain} role="status">
      {asked.isPending ? (
        <StateMark state="run" word="Checking every link of the chain" />
      ) : (
        <span className={styles.broken}>
          <Verdict verdict={verdict} check={check.data} askedAt={asked.data?.at ?? 0} />
          <Rebuilt check={check.data} />
          <Begins check={check.data} />
        </span>
      )}
      <Button size="small" busy={asked.isPending} onClick={() => asked.mutate()}>
        Verify now
      </Button>
      {asked.isError && <ApiErrorView error={asked.error} title="The chain was not verified" size="inline" />}
      {check.isError && verdict.kind === "unknown" && (
        <ApiErrorView error={check.error} title="What the server checked could not be read" size="inline" />
      )}
    </div>
  );
}

interface VerdictProps {
  readonly verdict: ChainVerdict;
  readonly check: AuditCheck | undefined;
  readonly askedAt: number;
}

function Verdict({ verdict, check, askedAt }: VerdictProps) {
  switch (verdict.kind) {
    case "unknown":
      return null;
    case "checking":
      return <StateMark state="run" word="The server checks the whole log since its start" />;
    case "broken":
      return <BrokenChain broken={verdict.broken} />;
    case "asked":
      return <Asked found={verdict.found} at={askedAt} />;
    case "verified":
      return (
        <span>
          <StateMark state="ok" word={`Chain verified to #${said(verdict.position)}`} />
          <span className={styles.none}>
            , <Time at={verdict.at} />
            {newerWords(verdict.newer)}
            {check !== undefined && check.endedAt !== null && check.position !== verdict.position && (
              <>
                ; all of it and its search <Time at={check.endedAt} />
              </>
            )}
          </span>
        </span>
      );
  }
}

function Asked({ found: { head, records }, at }: { readonly found: AuditVerification; readonly at: number }) {
  return (
    <span>
      <StateMark state="ok" word={`Chain verified to #${said(head.position)}`} />
      <span className={styles.none}>
        , {said(records)} records, asked for by you <Time at={at} />
      </span>
    </span>
  );
}

function BrokenChain({ broken: { file, position, expected, found, todo } }: { readonly broken: Broken }) {
  return (
    <span className={styles.broken}>
      <StateMark state="bad" word={`Chain broken at #${said(position)}, in ${file}`} />
      <span>
        Expected <code>{expected}</code>, found <code>{found}</code>. {todo}
      </span>
    </span>
  );
}

function Rebuilt({ check }: { readonly check: AuditCheck | undefined }) {
  if (check === undefined || check.rebuilt === null) return null;
  const { file, position, todo } = check.rebuilt;
  return (
    <span>
      <StateMark state="warn" word={`${file} was edited or damaged`} />{" "}
      <span className={styles.none}>
        Search at #{said(position)} was not what the entries say, and was made anew from them. {todo}
      </span>
    </span>
  );
}

/** A log whose beginning was pruned says so, and who did it. */
function Begins({ check }: { readonly check: AuditCheck | undefined }) {
  if (check === undefined || check.begins === 1) return null;
  return (
    <span className={styles.none}>
      The log begins at #{said(check.begins)}.{" "}
      <Link look="quiet" href="/audit?action=audit.pruned">
        Older records were pruned
      </Link>
    </span>
  );
}

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
