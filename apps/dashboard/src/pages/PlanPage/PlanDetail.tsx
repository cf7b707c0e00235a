import type { Plan } from "@gatehouse/contract/routes";
import { useEffect, useRef, useState } from "react";
import type { Answer } from "../../api/client.ts";
import { Columns } from "../../ui/Columns.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Link } from "../../ui/Link.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { usePhone } from "../../ui/use-phone.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { findingWords, isOpenPlan, sayPlanState, wasStarted } from "../../widgets/Plans/plan-state.ts";
import { Decision } from "./Decision.tsx";
import { HostSections } from "./HostSections.tsx";
import { PlanActions } from "./PlanActions.tsx";
import { PlanBanners } from "./PlanBanners.tsx";
import styles from "./PlanPage.module.css";
import { TaskList } from "./TaskList.tsx";
import { usePlanPeople } from "../../widgets/Plans/use-plan-people.ts";
import { usePlanRights } from "../../widgets/Plans/use-plan-rights.ts";

export interface PlanDetailProps {
  readonly read: Answer<Plan>;
  /** What stands here is older than the last attempt to read it. */
  readonly error: Error | null;
}

export function PlanDetail({ read, error }: PlanDetailProps) {
  const plan = read.data;
  const nameOf = usePlanPeople();
  const isPhone = usePhone();
  const [moves, setMoves] = useState(0);
  const status = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The button that was pressed is gone: the focus waits on what became of the plan.
    if (moves > 0) status.current?.focus();
  }, [moves]);
  const rights = usePlanRights(plan);
  const actions = <PlanActions read={read} rights={rights} onMoved={() => setMoves(moves + 1)} />;
  return (
    <>
      <PageHead
        title={plan.title}
        meta={
          <>
            <span ref={status} tabIndex={-1} role="status" className={styles.status}>
              <StateMark {...sayPlanState(plan)} />
            </span>
            <CopyText text={plan.id} label="plan id" tail={8} />
            <span>
              {nameOf(plan.author)}, <Time at={plan.createdAt} />
            </span>
            {plan.source.from === "plugin" && (
              <span>
                by {plan.source.plugin} {plan.source.version}
              </span>
            )}
          </>
        }
      />
      <p className={styles.summary}>{plan.summary}</p>
      {isPhone && <PhoneSummary plan={plan} />}
      <div className={styles.banners}>
        {error !== null && <ApiErrorView error={error} title="This is not up to date" size="inline" />}
        <PlanBanners plan={plan} nameOf={nameOf} />
      </div>
      <Columns
        isHeld
        main={
          <>
            {wasStarted(plan) && <TaskList plan={plan} />}
            <HostSections plan={plan} />
          </>
        }
        beside={
          <div id="decision" className={styles.decision}>
            <Decision plan={plan} rights={rights} nameOf={nameOf} />
            {!isPhone && actions}
          </div>
        }
      />
      {/* Under the thumb on a phone, wherever one reads. */}
      {isPhone && actions}
    </>
  );
}

/** What one decides by comes after the difference on a phone: a line says the main thing and leads there. */
function PhoneSummary({ plan }: { readonly plan: Plan }) {
  const findings = findingWords(plan.findings);
  return (
    <p className={styles.short}>
      {isOpenPlan(plan) && !wasStarted(plan) && (
        <>
          Expires <Time at={plan.expiresAt} />,{" "}
        </>
      )}
      {hostWords(plan.nodes)}
      {findings !== "" && `, ${findings}`}. <Link href="#decision">To the decision</Link>
    </p>
  );
}

function hostWords(count: number): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? "host" : "hosts"}`;
}
