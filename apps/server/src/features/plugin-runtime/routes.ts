import { invokePluginRoute, pluginAnswersRoute } from "@gatehouse/contract/routes";
import { type Route, route } from "../../platform/route/index.ts";
import { type AskDeps, askPlugin } from "./ask-plugin.ts";
import type { OwnQuestions } from "./own-questions.ts";

export interface RuntimeRoutesDeps extends AskDeps {
  readonly ownQuestions: Pick<OwnQuestions, "look">;
}

export function runtimeRoutes(deps: RuntimeRoutesDeps): readonly Route[] {
  return [
    route(invokePluginRoute, ({ principal, params, body, request }) => {
      const { kind, id } = principal.credential;
      const asker = {
        actor: kind === "token" ? `token:${id}` : principal.id,
        requestId: request.requestId,
        address: request.clientAddress,
      };
      return askPlugin(deps, asker, { ...params, input: body.input });
    }),
    route(pluginAnswersRoute, ({ params }) => deps.ownQuestions.look(params.id)),
  ];
}
