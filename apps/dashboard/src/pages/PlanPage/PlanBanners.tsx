import type { Plan } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { plansStopQuery } from "../../api/plans.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Link } from "../../ui/Link.tsx";
import { Time } from "../../ui/Time.tsx";
import { isOpenPlan } from "../../widgets/Plans/plan-state.ts";
import { plansHref } from "../../widgets/Plans/plans-href.ts";

export interface PlanBannersProps {
  readonly plan: Plan;
  readonly nameOf: (actor: string) => string;
}

/** What holds the plan up: that all plans are stopped, and that this one was halted. */
export function PlanBanners({ plan, nameOf }: PlanBannersProps) {
  const stopped = useQuery(plansStopQuery).data?.stopped ?? null;
  const isHalted = plan.state === "halted";
  if (stopped !== null && isOpenPlan(plan)) {
    return (
      <Banner state="bad" live title={isHalted ? "Halted: all plans are stopped." : "All plans are stopped."}>
        {nameOf(stopped.by)}, <Time at={stopped.at} />: {closed(stopped.reason)} {isHalted && `${untouched} `}
        <Link href={plansHref()} look="quiet">
          To the plans
        </Link>
      </Banner>
    );
  }
  if (!isHalted) return null;
  return (
    <Banner state="back" live title="Halted.">
      {nameOf(plan.movedBy)}, <Time at={plan.stateAt} />
      {plan.reason === null ? "." : `: ${closed(plan.reason)}`} {untouched}
    </Banner>
  );
}

const untouched = "Hosts that it has not reached are as they were; the others answer by themselves.";

/** People end their reasons with a full stop or without one. */
function closed(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
