import type { Clock } from "@gatehouse/base";
import { nodeKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import type { Fleet } from "./features/fleet/index.ts";
import {
  hostSource,
  openDropWatch,
  openSharedRead,
  overviewLimits,
  overviewRoutes,
  planSource,
  type PlanSourceDeps,
  pluginSource,
  type PluginSourceDeps,
  serverSource,
  type ServerSourceDeps,
  surveyHosts,
  tokenSource,
  type TokenSourceDeps,
  trustSource,
  type TrustSourceDeps,
} from "./features/overview/index.ts";
import type { Log } from "./platform/log/index.ts";

export interface ComposeOverviewDeps
  extends Pick<ServerSourceDeps, "auditCheck" | "storeHealth">,
    PlanSourceDeps,
    PluginSourceDeps,
    TokenSourceDeps,
    TrustSourceDeps,
    Pick<Fleet, "surveyNodes"> {
  readonly follow: Store["follow"];
  readonly clock: Clock;
  readonly log: Log;
  readonly every: (ms: number, act: () => void) => () => void;
  readonly later: (ms: number) => Promise<void>;
  readonly telemetryDropped: () => number;
  /** Of this server's agent. */
  readonly agentVersion: string;
}

/** What the overview reads, source by source; of nodes as seldom as it can. */
export function composeOverview(deps: ComposeOverviewDeps) {
  const { clock, every, later, agentVersion } = deps;
  const watch = openDropWatch({ dropped: deps.telemetryDropped, clock, every });
  const hosts = openSharedRead({
    ...overviewLimits.hosts,
    clock,
    later,
    make: () => surveyHosts((visit) => deps.surveyNodes(visit), agentVersion),
  });
  const unfollow = deps.follow((told) => {
    if (told.some(({ changed }) => changed.some(({ key }) => key.kind.name === nodeKind.name))) hosts.forget();
  });
  const sources = [
    serverSource({ ...deps, dropping: () => watch.dropping() }),
    hostSource({ readTroubles: () => hosts.read(), version: agentVersion }),
    planSource(deps),
    pluginSource(deps),
    tokenSource(deps),
    trustSource(deps),
  ];
  return {
    routes: overviewRoutes({ sources, log: deps.log }),
    /** Nodes came or went. */
    nodesMoved: () => hosts.forget(),
    close: () => {
      unfollow();
      watch.close();
    },
  };
}
