import { UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { type Plan, planRoute, plansRoute } from "@gatehouse/contract/routes";
import type { Connection } from "../server/connection.ts";
import { listAll } from "../server/list-all.ts";
import { unexpected } from "../server/send-request.ts";

export interface FoundPlan {
  readonly plan: Plan;
  /** What a change has to send as If-Match. */
  readonly etag: string;
}

export const planArgument = {
  value: "PLAN",
  about: "The plan's id, or its last digits (six or more), as gatehouse plan list shows them.",
} as const;

/** The largest page of the route. */
export const plansPage = 200;
/** Plans that are looked through for last digits. */
const mostPlans = 10_000;

/** Reads a plan as a person named it, with the version that a change must still find. */
export async function getNamedPlan(connection: Connection, named: string): Promise<FoundPlan> {
  const id = await getPlanId(connection, named);
  const { data, headers } = await connection.call(planRoute, { params: { id } });
  const etag = headers.get("etag");
  if (etag === null) throw unexpected(connection.server, "it sent a plan without an ETag");
  if (data.id !== id) throw unexpected(connection.server, "it sent another plan than it was asked for");
  return { plan: data, etag };
}

const idForm = /^plan_[0-9a-hjkmnp-tv-z]{26}$/;
const suffixForm = /^[0-9a-hjkmnp-tv-z]{6,25}$/;

export async function getPlanId(connection: Pick<Connection, "call">, named: string): Promise<string> {
  if (idForm.test(named)) return named;
  if (!suffixForm.test(named)) {
    throw new UsageError(`${JSON.stringify(named)} is neither the id of a plan nor six or more of its last digits`);
  }
  return pickPlan(await listAll(connection, plansRoute, { most: mostPlans, pageSize: plansPage }), named).id;
}

interface Looked<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
}

/** Ids begin with their time, so that their ends tell them apart. What fits two plans, or may fit one that was not seen, names none. */
export function pickPlan<Item extends Pick<Plan, "id">>({ items, more }: Looked<Item>, digits: string): Item {
  const fitting = items.filter(({ id }) => id.endsWith(digits));
  const [first, second] = fitting;
  if (second !== undefined) {
    const ids = fitting.slice(0, 4).map(({ id }) => id);
    throw fault("cli.plan_ambiguous", `${digits} fits ${ids.join(", ")}${fitting.length > 4 ? " and more" : ""}`);
  }
  if (more)
    throw fault("cli.plan_ambiguous", `there are more than ${items.length} plans, and ${digits} may fit several`);
  if (first === undefined) throw fault("plan.unknown", `no plan has the last digits ${digits}`);
  return first;
}
