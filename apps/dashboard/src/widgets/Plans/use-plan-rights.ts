import type { Plan } from "@gatehouse/contract/routes";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useWhoAmI } from "../../api/auth.ts";
import { planSectionPages, plansStopQuery, planWavesQuery, serverSettingsQuery } from "../../api/plans.ts";
import { type PlanRight, planRights } from "./plan-rights.ts";
import { countAll } from "./wave-words.ts";

/** What the reader may do with the plan now, from everything that this page can read about it. */
export function usePlanRights(plan: Plan): readonly PlanRight[] {
  const { user, scopes } = useWhoAmI();
  const isDecided = plan.state !== "in_review" && plan.state !== "approved";
  const stop = useQuery(plansStopQuery);
  const isOwn = plan.author === user.id;
  const settings = useQuery({
    ...serverSettingsQuery,
    enabled: !isDecided && isOwn && scopes.includes("settings:admin"),
  });
  const sections = useInfiniteQuery({ ...planSectionPages(plan.id), enabled: !isDecided });
  // Until every task has ended the plan itself does not say how many have kept it.
  const waves = useQuery({ ...planWavesQuery(plan.id), enabled: plan.state === "halted" });
  const read = sections.data?.pages.flatMap(({ items }) => items) ?? [];
  return planRights(
    plan,
    { id: user.id, scopes },
    {
      now: Date.now(),
      isStopped: (stop.data?.stopped ?? null) !== null,
      selfApproval: settings.data?.plans.selfApproval,
      hasServerHosts: sections.hasNextPage || read.some(({ accepts }) => accepts === "server"),
      hasApplied: ((plan.ended ?? countAll(waves.data?.items ?? [])).applied ?? 0) > 0,
    },
  );
}
