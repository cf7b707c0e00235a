import type { Plan, rejectPlanRoute, reviewPlanRoute, withdrawPlanRoute } from "@gatehouse/contract/routes";
import type { Connection } from "../server/connection.ts";
import { getNamedPlan } from "./find-plan.ts";

type MoveRoute = typeof rejectPlanRoute | typeof reviewPlanRoute | typeof withdrawPlanRoute;

/** Said in the help of the commands that move a plan. */
export const moveAbout = "If somebody else moves the plan at the same moment, nothing is changed and you are told.";

/** Moves a plan as a person named it, unless it was changed since it was read. */
export async function moveNamedPlan(
  connection: Connection,
  { route, named, body }: { readonly route: MoveRoute; readonly named: string; readonly body?: object },
): Promise<Plan> {
  const { plan, etag } = await getNamedPlan(connection, named);
  const { data } = await connection.call(route, { params: { id: plan.id }, headers: { "If-Match": etag }, body });
  return data;
}
