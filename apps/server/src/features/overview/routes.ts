import { overviewRoute } from "@gatehouse/contract/routes";
import type { Log } from "../../platform/log/index.ts";
import { type Route, route } from "../../platform/route/index.ts";
import { gatherOverview } from "./gather-overview.ts";
import type { OverviewSource } from "./overview-source.ts";

export interface OverviewDeps {
  readonly sources: readonly OverviewSource[];
  readonly log: Pick<Log, "warn">;
}

export function overviewRoutes(deps: OverviewDeps): readonly Route[] {
  return [
    route(overviewRoute, ({ principal, nodes, request }) =>
      nodes.answer((seen) => gatherOverview(deps, { principal, seen, now: request.now })),
    ),
  ];
}
