import type { Plan } from "@gatehouse/contract/routes";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { planQuery, planSectionPages } from "../../api/plans.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { Link } from "../../ui/Link.tsx";
import { isOpenPlan, sayPlanState } from "../../widgets/Plans/plan-state.ts";
import { Block, Line, Lines } from "../../widgets/Plans/Block.tsx";
import { GivenApproval } from "../../widgets/Plans/GivenApproval.tsx";
import type { PlanRight } from "../../widgets/Plans/plan-rights.ts";
import { approvalsHref } from "../../widgets/Plans/plans-href.ts";
import { usePlanRights } from "../../widgets/Plans/use-plan-rights.ts";
import styles from "./ApprovalsPage.module.css";
import { foldFindings } from "./fold-findings.ts";
import { sayDecision, sayGiven, timeLeft } from "./inbox-words.ts";
import { RejectForm, type RejectFormProps } from "./RejectForm.tsx";

export interface PickedPlanProps extends Pick<RejectFormProps, "move" | "onReject"> {
  /** As the list has it. */
  readonly plan: Plan;
  readonly isRejecting: boolean;
  readonly nameOf: (actor: string) => string;
  readonly now: number;
}

/** What one has to know before one opens a plan; a rejection is the one thing that is decided here. */
export function PickedPlan({ plan: listed, isRejecting, nameOf, now, move, onReject }: PickedPlanProps) {
  const read = useQuery(planQuery(listed.id)).data;
  const plan = read?.data ?? listed;
  const rights = usePlanRights(plan);
  const mayReject = rights.some(({ act, may }) => act === "reject" && may);
  if (isRejecting && mayReject && read !== undefined) {
    return <RejectForm read={read} nameOf={nameOf} now={now} move={move} onReject={onReject} />;
  }
  return (
    <>
      <Link href={approvalsHref} className={styles.back ?? ""}>
        All approvals
      </Link>
      <div>
        <Block
          title="Selected"
          aside={isOpenPlan(plan) ? timeLeft(plan.expiresAt, now).words : sayPlanState(plan).word}
        >
          <p className={styles.name}>{plan.title}</p>
          <p className={styles.says}>{isOpenPlan(plan) ? plan.summary : sayDecision(plan, nameOf)}</p>
        </Block>
        <Block title="Plan digest" aside="compare it with your own screen">
          <Digest value={plan.digest} label="digest of the plan" />
        </Block>
        <LintBlock plan={plan} />
        <Block title="Approvals" aside={sayGiven(plan, now)}>
          <Lines>
            {plan.approvals.map((approval) => (
              <GivenApproval
                key={`${approval.id} ${approval.keyId} ${approval.user}`}
                approval={approval}
                nameOf={nameOf}
              />
            ))}
            <Rights rights={rights} />
            {plan.approvals.length + rights.length === 0 && <Line state="idle">Nobody approved it.</Line>}
          </Lines>
        </Block>
      </div>
      <div className={styles.act}>
        <p>Approving stands beside the difference, not in this list.</p>
        <div className={styles.buttons}>
          <ButtonLink href={`/plans/${plan.id}`} look={isOpenPlan(plan) ? "primary" : "quiet"}>
            {isOpenPlan(plan) ? `Review for ${hostWords(plan.nodes)}` : "Open the plan"}
          </ButtonLink>
          {mayReject && (
            <ButtonLink href={`/approvals?plan=${plan.id}&act=reject`} look="danger">
              Reject…
            </ButtonLink>
          )}
        </div>
      </div>
    </>
  );
}

/** Whether the reader may approve it, and may reject it. */
function Rights({ rights }: { readonly rights: readonly PlanRight[] }) {
  return rights
    .filter(({ act, says }) => says !== null && (act === "sign" || act === "approve" || act === "reject"))
    .map(({ act, may, says }) => (
      <Line key={act} state={may ? (act === "reject" ? "ok" : "wait") : "idle"}>
        {says}
      </Line>
    ));
}

function LintBlock({ plan }: { readonly plan: Plan }) {
  const sections = useInfiniteQuery(planSectionPages(plan.id));
  const { warn, refuse, note } = plan.findings;
  const found = foldFindings(sections.data?.pages.flatMap(({ items }) => items) ?? []);
  const count = warn + refuse + note;
  return (
    <Block title="Lint" aside={count === 0 ? "nothing found" : `${count.toLocaleString("en-GB")} found`}>
      <Lines>
        {count === 0 && <Line state="ok">It passes.</Line>}
        {found.map(({ key, state, says, hosts }) => (
          <Line key={key} state={state}>
            {says} <span className={styles.clean}>{hosts}</span>
          </Line>
        ))}
        {count > 0 && sections.hasNextPage && (
          <Line state="idle">Of the first hosts. The plan’s page has the rest.</Line>
        )}
      </Lines>
    </Block>
  );
}

function hostWords(count: number): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? "host" : "hosts"}`;
}
