import { fault } from "@gatehouse/contract";
import { invokePluginRoute, pluginAnswersRoute } from "@gatehouse/contract/routes";
import type { PlanNode } from "@gatehouse/contract/broker";
import { type Route, route } from "../../platform/route/index.ts";
import { type AskDeps, askPlugin } from "./ask-plugin.ts";
import type { OwnQuestions } from "./own-questions.ts";

export interface RuntimeRoutesDeps extends AskDeps {
  readonly ownQuestions: Pick<OwnQuestions, "look">;
  /** What plugins are told of these nodes; the ids that there are none for are left out. */
  readonly findPlanNodes: (ids: readonly string[]) => Promise<readonly Omit<PlanNode, "states">[]>;
}

export function runtimeRoutes(deps: RuntimeRoutesDeps): readonly Route[] {
  return [
    route(invokePluginRoute, async ({ principal, params, body, request }) => {
      const { kind, id } = principal.credential;
      const asker = {
        actor: kind === "token" ? `token:${id}` : principal.id,
        requestId: request.requestId,
        address: request.clientAddress,
      };
      const nodes = body.nodes === undefined ? undefined : await getNodes(deps, body.nodes);
      return askPlugin(deps, asker, { ...params, input: body.input, nodes });
    }),
    route(pluginAnswersRoute, ({ params }) => deps.ownQuestions.look(params.id)),
  ];
}

/** A draft on request is drawn up without the states of hosts: nobody is asked for them. */
async function getNodes(
  { findPlanNodes }: Pick<RuntimeRoutesDeps, "findPlanNodes">,
  ids: readonly string[],
): Promise<PlanNode[]> {
  const wanted = new Set(ids);
  const found = await findPlanNodes([...wanted]);
  for (const { id } of found) wanted.delete(id);
  const [unknown] = wanted;
  if (unknown !== undefined) throw fault("node.unknown", `there is no node ${unknown}`);
  return found.map((node) => ({ ...node, states: [] }));
}
