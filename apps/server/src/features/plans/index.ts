/**
 * Plans: what is to be changed on hosts, as bytes that people review: made from what the hosts said, linted, offered, approved,
 * rejected, started. Never changes a host, and never approves by itself: it keeps what people decide and how hosts say it ended.
 */
import { planKind } from "@gatehouse/contract/records";
import { listRecords } from "@gatehouse/store/decide";
import type { Principal, Route } from "../../platform/route/index.ts";
import type { FleetDeps } from "../fleet/index.ts";
import { findPlansNaming } from "./find-plans-naming.ts";
import { openHeldPlans } from "./held-plans.ts";
import { blobsOfPlan, openPlanSweep } from "./open-plan-sweep.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { planRoutes } from "./routes.ts";
import { PlanRunner } from "./run-plans.ts";
import { type PlanSurvey, surveyPlans } from "./survey-plans.ts";
import { openOutcomes } from "./take-outcome.ts";

export type { PlansDeps } from "./plans-deps.ts";

export interface Plans extends Pick<FleetDeps, "takeOutcome" | "takeStep"> {
  readonly routes: readonly Route[];
  /** Plans that have not ended and name the artifact with this digest. */
  plansNaming(sha256: string, now: number): Promise<readonly string[]>;
  /** Plans by how they stand, for one reader. */
  surveyPlans(principal: Principal, asked: { readonly now: number; readonly endedAfter: number }): Promise<PlanSurvey>;
  /** Blobs that records of plans name; whoever removes bytes leaves them alone. */
  namedBlobs(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function openPlans(deps: PlansDeps): Plans {
  const sweep = openPlanSweep(deps);
  const held = { ...deps, ...openHeldPlans(deps) };
  const runner = new PlanRunner(held);
  return {
    routes: planRoutes(held, runner),
    takeOutcome: openOutcomes({ ...deps, onEnd: (plan, node, state) => runner.ended(plan, node, state) }),
    takeStep: (node, step) => runner.takeStep(node, step),
    plansNaming: (sha256, now) => findPlansNaming(deps.store, sha256, now),
    surveyPlans: (principal, asked) => surveyPlans(deps, principal, asked),
    namedBlobs: async () => (await listRecords(deps.store, planKind)).flatMap(({ value }) => blobsOfPlan(value)),
    close: async () => {
      await runner.close();
      await sweep.close();
    },
  };
}
