import type { Clock } from "@gatehouse/base";
import { nodeDriftKind, nodeKind, witnessedKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import type { Telemetry } from "@gatehouse/store/telemetry";
import type { AuditCheck } from "./features/audit/index.ts";
import type { Identity } from "./features/auth/index.ts";
import type { Fleet } from "./features/fleet/index.ts";
import {
  alertSource,
  type AlertSourceDeps,
  hostSource,
  openDropWatch,
  openSharedRead,
  type OverviewSource,
  overviewLimits,
  overviewRoutes,
  plansSource,
  type PlansSourceDeps,
  pluginSource,
  type PluginSourceDeps,
  type RefusingHost,
  serverSource,
  surveyHosts,
  tokenSource,
  trustSource,
  type TrustSourceDeps,
  webhookSource,
  type WebhookSourceDeps,
  witnessSource,
} from "./features/overview/index.ts";
import type { Log } from "./platform/log/index.ts";

export interface ComposeOverviewDeps extends TrustSourceDeps {
  readonly store: Pick<Store, "follow" | "health">;
  readonly telemetry: Pick<Telemetry, "dropped">;
  readonly clock: Clock;
  readonly log: Log;
  readonly every: (ms: number, act: () => void) => () => void;
  readonly later: (ms: number) => Promise<void>;
  readonly auditCheck: Pick<AuditCheck, "report">;
  readonly identity: Pick<Identity, "listEndingTokens">;
  readonly fleet: Pick<Fleet, "surveyNodes">;
  readonly plans: PlansSourceDeps;
  readonly plugins: PluginSourceDeps;
  readonly alerts: AlertSourceDeps;
  readonly webhooks: WebhookSourceDeps;
  readonly witnesses: { readonly refusing: () => Promise<readonly RefusingHost[]> };
  /** Of this server's agent. */
  readonly agentVersion: string;
}

/** What the overview reads, source by source; of nodes as seldom as it can. */
export function composeOverview(deps: ComposeOverviewDeps) {
  const { store, telemetry, clock, every, later, fleet, agentVersion } = deps;
  const watch = openDropWatch({ dropped: () => telemetry.dropped(), clock, every });
  const hosts = openSharedRead({
    ...overviewLimits.hosts,
    mayKeep: ({ isUnsettled }) => !isUnsettled,
    clock,
    later,
    make: () => surveyHosts((visit) => fleet.surveyNodes(visit), agentVersion),
  });
  const refusing = openSharedRead({
    ...overviewLimits.hosts,
    mayKeep: () => true,
    clock,
    later,
    make: () => deps.witnesses.refusing(),
  });
  const unfollow = store.follow((told) => {
    const kinds = new Set(told.flatMap(({ changed }) => changed.map(({ key }) => key.kind.name)));
    if (kinds.has(nodeKind.name) || kinds.has(nodeDriftKind.name)) hosts.forget();
    if (kinds.has(nodeKind.name) || kinds.has(witnessedKind.name)) refusing.forget();
  });
  // One for each part that can say something; the order of what they find is that of the kinds.
  const sources: readonly OverviewSource[] = [
    serverSource({
      auditCheck: () => deps.auditCheck.report(),
      storeHealth: () => store.health(),
      dropping: () => watch.dropping(),
    }),
    witnessSource({ readRefusing: () => refusing.read() }),
    hostSource({ readTroubles: () => hosts.read(), version: agentVersion }),
    alertSource(deps.alerts),
    plansSource(deps.plans),
    pluginSource(deps.plugins),
    tokenSource(deps.identity),
    webhookSource(deps.webhooks),
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
