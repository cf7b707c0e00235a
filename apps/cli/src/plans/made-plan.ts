import { Fault } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import { type Plan, planLifetimes } from "@gatehouse/contract/routes";
import type { Connection } from "../server/connection.ts";
import { parseHours } from "./plan-wish.ts";
import { showPlan } from "./show-plan.ts";

/** Every host is asked what it is like now, and a plugin has 30 seconds. */
export const makingLimitMs = 180_000;

/** The options of every command that makes a plan, wherever its operations come from. */
export const termFlags = {
  "skip-offline": { about: "Go on without hosts that are not connected; they are named." },
  management: {
    value: "NETWORK",
    about: "A network from which people reach these hosts: the lint refuses what would cut it off.",
    list: true,
  },
  "expires-in-hours": {
    value: "N",
    about: `When it can no longer be approved, 1 to ${planLifetimes.most}. Without it, ${planLifetimes.unsaid}.`,
  },
  "no-review": { about: "Keep it out of review for now." },
} as const;

export interface GivenPlanTerms {
  readonly "skip-offline"?: boolean;
  readonly management?: readonly string[];
  readonly "expires-in-hours"?: string;
  readonly "no-review"?: boolean;
}

/** They as a request has them. */
export function readTerms(given: GivenPlanTerms, topic: string) {
  return {
    skipOffline: given["skip-offline"],
    management: given.management === undefined ? undefined : [...given.management],
    expiresInHours: parseHours(given["expires-in-hours"], topic),
    review: given["no-review"] === true ? false : undefined,
  };
}

/** Shows a plan that was made a moment ago. Where that fails it is named all the same: it is there. */
export async function showMadePlan(connection: Connection, plan: Plan): Promise<Report> {
  try {
    return await showPlan(connection, plan, { as: "words" });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { kind, code, title, todo, fields, cause } = error;
    const detail = `the plan ${plan.id} was made, and cannot be shown: ${error.detail}`;
    throw new Fault({ kind, code, title, detail, fields, cause, ...(todo === undefined ? {} : { todo }) });
  }
}
