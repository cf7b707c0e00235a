import type { PlanRecord } from "@gatehouse/contract/records";
import type { StoredRecord } from "@gatehouse/store";
import type { Principal, RequestFacts } from "../../platform/route/index.ts";
import { draftPlan, type WantedDraft } from "./draft-plan.ts";
import { makePlan, type MakePlanDeps, type PlanTerms } from "./make-plan.ts";
import { resolveNodes, type WantedNodes } from "./resolve-nodes.ts";

type WantedPlan = WantedDraft & WantedNodes & PlanTerms & { readonly replaces?: string | undefined };

/** The plan of a plugin, or of a person's own operations. */
export function makeWantedPlan(
  deps: MakePlanDeps,
  principal: Principal,
  { wanted, key }: { readonly wanted: WantedPlan; readonly key: string | undefined },
  request: RequestFacts,
): Promise<StoredRecord<PlanRecord>> {
  const order = {
    terms: wanted,
    asked: { route: "plans", request: wanted, key },
    replaces: wanted.replaces,
    drawUp: async (asker: Parameters<typeof draftPlan>[1]) => {
      const targets = await resolveNodes(deps, wanted);
      return { targets, drafted: await draftPlan(deps, asker, wanted, targets.here) };
    },
  };
  return makePlan(deps, principal, order, request);
}
