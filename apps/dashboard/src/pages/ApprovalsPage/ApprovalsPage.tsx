import type { Plan } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useRef } from "react";
import { useMay, useWhoAmI } from "../../api/auth.ts";
import type { Answer } from "../../api/client.ts";
import { newestPlansQuery, plansStopQuery, waitingPlansQuery } from "../../api/plans.ts";
import { cx } from "../../ui/cx.ts";
import { useFollow } from "../../ui/Link.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { hourAndMinute } from "../../ui/relative-time.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useClock } from "../../ui/use-clock.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { approvalsHref } from "../../widgets/Plans/plans-href.ts";
import { usePlanMove } from "../../widgets/Plans/use-plan-move.ts";
import { usePlanPeople } from "../../widgets/Plans/use-plan-people.ts";
import styles from "./ApprovalsPage.module.css";
import { decidedAt, type Inbox, sortInbox } from "./inbox.ts";
import { InboxLists } from "./InboxLists.tsx";
import { PickedPlan } from "./PickedPlan.tsx";

/** What waits for the reader's word, and what does not and why. It approves nothing: that stands beside the difference. */
export function ApprovalsPage() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const { user, scopes } = useWhoAmI();
  const mayApprove = useMay("plan:approve");
  const now = useClock();
  const nameOf = usePlanPeople();
  const status = useRef<HTMLParagraphElement>(null);
  const waiting = useQuery({ ...waitingPlansQuery, enabled: mayApprove });
  const inReview = useQuery(newestPlansQuery("in_review"));
  const newest = useQuery(newestPlansQuery());
  const stop = useQuery(plansStopQuery);
  const move = usePlanMove();
  const follow = useFollow();
  const reject = (seen: Answer<Plan>, reason: string): void =>
    move.mutate(
      { act: "reject", seen, reason },
      {
        onSuccess: () => {
          follow(approvalsHref);
          // The button that was pressed is gone: the focus waits on how many are left.
          status.current?.focus();
        },
      },
    );
  const reads = [...(mayApprove ? [waiting] : []), inReview, newest];
  const failed = reads.find(({ isError }) => isError);
  const isRead = reads.every(({ data }) => data !== undefined);
  const inbox = sortInbox(
    { waiting: waiting.data?.items ?? [], inReview: inReview.data?.items ?? [], newest: newest.data?.items ?? [] },
    { id: user.id, scopes, now, isStopped: (stop.data?.stopped ?? null) !== null },
  );
  const picked = findPicked(inbox, search["plan"]);
  const isChosen = picked !== undefined && search["plan"] === picked.id;
  return (
    <div className={cx(styles.page, isChosen && styles.chosen)}>
      <PageHead
        title="Approvals"
        meta={
          <p ref={status} tabIndex={-1} role="status" className={styles.status}>
            {isRead ? sayInbox(inbox, waiting.data?.nextCursor ?? null, now) : "Reading what waits"}
          </p>
        }
      />
      {failed !== undefined && (
        <div className={styles.below}>
          <ApiErrorView
            error={failed.error}
            title={isRead ? "This is not up to date" : "What waits could not be read"}
            size={isRead ? "inline" : "block"}
            onRetry={() => reads.forEach(({ refetch }) => void refetch())}
            retrying={reads.some(({ isFetching }) => isFetching)}
          />
        </div>
      )}
      {!isRead && failed === undefined && (
        <div className={styles.below}>
          <Skeleton shape="list" count={3} label="Reading what waits" />
        </div>
      )}
      {isRead && (
        <div className={styles.columns}>
          <div className={styles.lists}>
            <InboxLists inbox={inbox} picked={picked?.id} nameOf={nameOf} now={now} mayApprove={mayApprove} />
          </div>
          {picked !== undefined && (
            <aside className={styles.picked} aria-label="The selected plan">
              <PickedPlan
                key={picked.id}
                plan={picked}
                isRejecting={isChosen && search["act"] === "reject"}
                nameOf={nameOf}
                now={now}
                move={move}
                onReject={reject}
              />
            </aside>
          )}
        </div>
      )}
    </div>
  );
}

/** The one in the address; without it, what a wide page shows beside the list. */
function findPicked({ mine, others, decided }: Inbox, id: unknown): Plan | undefined {
  const all = [...mine, ...others.map(({ plan }) => plan), ...decided];
  return all.find((plan) => plan.id === id) ?? mine[0] ?? others[0]?.plan;
}

function sayInbox({ mine, decided }: Inbox, nextCursor: string | null, now: number): string {
  if (mine.length === 0) {
    const [last] = decided;
    const when = last === undefined ? "" : ` Last decided ${hourAndMinute(Date.parse(decidedAt(last)), now)}.`;
    return `Nothing waits for you.${when}`;
  }
  const orMore = nextCursor === null ? "" : " or more";
  return `${mine.length.toLocaleString("en-GB")}${orMore} ${mine.length === 1 ? "plan waits" : "plans wait"} for you.`;
}
