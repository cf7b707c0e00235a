import { invokePluginRoute, type Scope } from "@gatehouse/contract";
import { type Principal, type Route, route } from "../../platform/route/index.ts";
import { invokeAction, type InvokeDeps } from "./invoke-action.ts";

export interface RuntimeRoutesDeps extends InvokeDeps {
  /** Refuses whoever lacks the scope, and whoever is limited to some nodes: an answer may speak of all of them. */
  readonly authorise: (principal: Principal, scope: Scope) => void;
}

export function runtimeRoutes(deps: RuntimeRoutesDeps): readonly Route[] {
  return [
    route(invokePluginRoute, ({ principal, params, body, request }) => {
      deps.authorise(principal, "plugin:invoke");
      const { kind, id } = principal.credential;
      const asker = {
        name: kind === "token" ? `token:${id}` : principal.id,
        requestId: request.requestId,
        address: request.clientAddress,
      };
      return invokeAction(deps, asker, { ...params, input: body.input });
    }),
  ];
}
