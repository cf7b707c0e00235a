import { invokePluginRoute } from "@gatehouse/contract/routes";
import { type Route, route } from "../../platform/route/index.ts";
import { invokeAction, type InvokeDeps } from "./invoke-action.ts";

export function runtimeRoutes(deps: InvokeDeps): readonly Route[] {
  return [
    route(invokePluginRoute, ({ principal, params, body, request }) => {
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
