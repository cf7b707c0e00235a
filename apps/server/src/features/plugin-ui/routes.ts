import { contributionsRoute } from "@gatehouse/contract/routes";
import { type Route, route } from "../../platform/route/index.ts";
import { type Lifecycle, visibleContributions } from "../plugin-lifecycle/index.ts";

export interface PluginUiDeps {
  readonly lifecycle: Pick<Lifecycle, "activePlugins">;
}

/** What the dashboard adds to its own pages for this caller (contract 3.2). Without an active plugin that is nothing. */
export function pluginUiRoutes({ lifecycle }: PluginUiDeps): readonly Route[] {
  return [
    route(contributionsRoute, async ({ principal }) => {
      const active = await lifecycle.activePlugins();
      const items = active.flatMap(({ record, facts }) => visibleContributions(record, facts, principal.scopes));
      return { items, nextCursor: null };
    }),
  ];
}
