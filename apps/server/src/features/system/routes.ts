import { type AuditCheckState, fault } from "@gatehouse/contract";
import {
  cspReportsRoute,
  healthRoute,
  metricsRoute,
  openApiRoute,
  readyRoute,
  versionRoute,
} from "@gatehouse/contract/routes";
import type { StoreHealth } from "@gatehouse/store";
import { Reply, type Route, route } from "../../platform/route/index.ts";
import type { CspReports } from "./csp-reports.ts";
import type { Metrics } from "./metrics.ts";

export interface SystemDeps {
  readonly build: {
    readonly version: string;
    readonly commit: string;
    readonly builtAt: string;
    readonly channel: string;
    readonly node: string;
    readonly api: string;
  };
  readonly storeHealth: () => StoreHealth;
  readonly auditCheck: () => AuditCheckState;
  readonly isStopping: () => boolean;
  readonly metrics: Pick<Metrics, "render">;
  readonly cspReports: Pick<CspReports, "add">;
  /** The description as text; made from the route table, of which these rows are a part. */
  readonly openApi: () => string;
}

export function systemRoutes(deps: SystemDeps): readonly Route[] {
  const { version, commit, builtAt, channel, node, api } = deps.build;
  const build = { version, commit, builtAt, channel, node, api };
  return [
    route(healthRoute, () => ({ status: "ok" as const })),
    route(readyRoute, () => {
      if (deps.isStopping()) throw fault("server.stopping", "the server is stopping");
      const { writable } = deps.storeHealth();
      // The reason is for the log: it can name directories.
      if (!writable)
        throw fault("server.not_ready", "the store takes no changes", { fields: { checks: { store: "failed" } } });
      // A log that is not as it was written is told, and stops nobody: whoever has to look into it needs the server.
      return { status: "ready" as const, checks: { store: "ok" as const, audit: deps.auditCheck() } };
    }),
    route(versionRoute, () => build),
    route(openApiRoute, () => new Reply({ mediaType: openApiRoute.responses[200].mediaType, body: deps.openApi() })),
    route(metricsRoute, async () => {
      return new Reply({ mediaType: metricsRoute.responses[200].mediaType, body: await deps.metrics.render() });
    }),
    route(cspReportsRoute, ({ body, request }) => {
      deps.cspReports.add(body, request.now);
      return undefined;
    }),
  ];
}
