import type { Plan } from "@gatehouse/contract/routes";
import { Banner } from "../../ui/Banner.tsx";
import { Time } from "../../ui/Time.tsx";
import { isStoppedByHand } from "../../widgets/Plans/plan-state.ts";
import { asSentence, withinSentence } from "../../widgets/Plans/reason.ts";

export interface PlanBannersProps {
  readonly plan: Plan;
  readonly nameOf: (actor: string) => string;
}

/** That a plan was halted: by its own hosts, by the stop of all plans, which stands above every page, or by a person. */
export function PlanBanners({ plan, nameOf }: PlanBannersProps) {
  const { state, stateAt, reason, movedBy } = plan;
  if (state !== "halted") return null;
  if (isStoppedByHand(plan)) {
    return (
      <Banner state="wait" live title="Stopped.">
        By {withinSentence(nameOf(movedBy))}, <Time at={stateAt} />
        {reason === null ? "." : `: ${asSentence(reason)}`} Hosts under way go on by themselves; those that it has not
        reached were sent nothing.
      </Banner>
    );
  }
  return (
    <Banner state="back" live title="Halted.">
      {reason !== null && asSentence(reason)} Since <Time at={stateAt} /> nothing more is sent. Hosts that it has not
      reached are as they were; the others answer by themselves.
    </Banner>
  );
}
