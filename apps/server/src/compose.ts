import { setTimeout as delay } from "node:timers/promises";
import { type Clock, runAll, systemClock } from "@gatehouse/base";
import { recordKinds } from "@gatehouse/contract/records";
import { openWitness, pruneBefore, type Store } from "@gatehouse/store";
import { openDecide } from "@gatehouse/store/decide";
import { composeIdentity } from "./compose-identity.ts";
import { closeKept, type Kept, openKept } from "./compose-kept.ts";
import { composeOverview } from "./compose-overview.ts";
import { composePlans } from "./compose-plans.ts";
import { openPlugins } from "./compose-plugins.ts";
import type { Config } from "./config.ts";
import { openEdge } from "./edge/http.ts";
import { describeApi } from "./edge/openapi.ts";
import { buildRouteTable } from "./edge/route-table.ts";
import { openAlerts } from "./features/alerts/index.ts";
import { auditRoutes, openAuditCheck, openRetention } from "./features/audit/index.ts";
import { openEvents } from "./features/events/index.ts";
import { openFleet } from "./features/fleet/index.ts";
import { openGeo } from "./features/geo/index.ts";
import { openNodeMetrics } from "./features/metrics/index.ts";
import { openHostLogs } from "./features/host-logs/index.ts";
import { openMarketplace } from "./features/marketplace/index.ts";
import { openTrust } from "./features/plugin-bundles/index.ts";
import type { Runner } from "./features/plugin-runtime/index.ts";
import { openCspReports, openMetrics, systemRoutes } from "./features/system/index.ts";
import { openWebhooks } from "./features/webhooks/index.ts";
import { openWitnesses } from "./features/witnesses/index.ts";
import { type AgentBinaries, loadAgentBinaries } from "./platform/agent-binaries/index.ts";
import { type BuildInfo, readBuildInfo } from "./platform/build-info/index.ts";
import { inProcessBus } from "./platform/bus/index.ts";
import { readAuthorities } from "./platform/egress/index.ts";
import type { Log } from "./platform/log/index.ts";
import type { Authenticate, Route, SocketRoute, WatchPrincipal } from "./platform/route/index.ts";
import { readSettingFile } from "./platform/setting-file/index.ts";
import { loadSiteMap, type SiteMap } from "./platform/site-map/index.ts";

export interface ComposeOptions {
  readonly config: Config;
  readonly log: Log;
  /** The disk failed, or another thing after which going on would be a lie: end the process. */
  readonly onFatal: (error: unknown) => void;
  readonly maxConnections: number;
  /** Other parts than the real ones, for tests. */
  readonly parts?: Partial<Parts>;
}

/** What compose builds itself unless it is handed something else. */
export interface Parts {
  readonly kept: Kept;
  readonly site: SiteMap;
  readonly build: BuildInfo;
  readonly clock: Clock;
  readonly agentBinaries: AgentBinaries;
  /** In the place of identity as a whole: then there are no users, and nobody can sign in. */
  readonly authenticate: Authenticate;
  readonly watchPrincipal: WatchPrincipal;
  readonly moreRoutes: readonly Route[];
  readonly moreSockets: readonly SocketRoute[];
  /** What arms plugins. */
  readonly runner: Runner;
}

export interface Running {
  readonly host: string;
  readonly port: number;
  readonly store: Store;
  /** Once: not ready, no new work, finish what is under way, keep what is to be kept. */
  stop(deadlineMs: number): Promise<void>;
}

/** The one place where things are built: platform, then features, then edge. Resolves when the server listens. */
export async function compose(options: ComposeOptions): Promise<Running> {
  const { parts = {} } = options;
  const clock = parts.clock ?? systemClock;
  const build = parts.build ?? readBuildInfo();
  const site = parts.site ?? loadSiteMap();
  // Before the data is touched: a policy that cannot be used stops the start.
  const { pluginTrust, marketplaceFile, egressCaFile } = options.config;
  const files = {
    policy: await openTrust({ source: pluginTrust, readFile: readSettingFile }),
    marketplace: await openMarketplace({ file: marketplaceFile, readFile: readSettingFile }),
    authorities: await readAuthorities({ file: egressCaFile, readFile: readSettingFile }),
  };
  const kept = parts.kept ?? (await openKept({ ...options, clock, every }));
  try {
    return await serve({ ...options, files, parts: { ...parts, clock, build, site, kept } });
  } catch (error) {
    await closeKept(kept);
    throw error;
  }
}

/** What the files say that settings name. */
interface SettingFiles {
  readonly policy: Awaited<ReturnType<typeof openTrust>>;
  readonly marketplace: Awaited<ReturnType<typeof openMarketplace>>;
  readonly authorities: Awaited<ReturnType<typeof readAuthorities>>;
}

type WithParts = ComposeOptions & {
  readonly files: SettingFiles;
  readonly parts: Partial<Parts> & Pick<Parts, "clock" | "build" | "site" | "kept">;
};

async function serve({ config, log, maxConnections, files, parts }: WithParts): Promise<Running> {
  const { clock, build, site, kept } = parts;
  const { store, secrets, telemetry } = kept;
  let isStopping = false;

  const bus = inProcessBus({
    namespace: "gatehouse",
    onListenerError: (error) => log.error("a listener on the bus failed", {}, error),
  });
  const unfollow = store.follow((told) => {
    const last = told.at(-1);
    if (last !== undefined) bus.publish("audit.moved", { position: last.position });
    if (told.some(({ entry }) => entry.action === "plan.done")) plugins.renew();
  });

  const decide = openDecide(store);
  const identity = await composeIdentity({ ...kept, given: parts, config, log, clock, decide, every, after });
  const onUnkept = (error: unknown) => log.error("the key that signs the head of the log was not kept", {}, error);
  const witness = await openWitness({ store, secrets, now: clock.now(), onUnkept });
  const auditCheck = openAuditCheck({ store, clock, log, every });
  const retention = openRetention({
    prune: (by, time) => pruneBefore(store, by, time),
    clock,
    log,
    every,
    days: config.auditRetentionDays,
    isWhole: () => auditCheck.report().state === "ok",
  });
  const events = openEvents({
    store: { head: () => store.head(), searchAudit: auditCheck.reads.searchAudit },
    bus,
    kinds: recordKinds,
    watchPrincipal: identity.watchPrincipal,
    every,
    later: (ms) => delay(ms, undefined, { ref: false }),
    random: Math.random,
    onError: (error) => log.error("an event stream failed", {}, error),
  });
  const nodeMetrics = openNodeMetrics({ telemetry, clock, requireNode: (id) => fleet.requireNode(id) });
  const hostLogs = openHostLogs({ telemetry, nodeIds: () => fleet.nodeIds() });
  const witnesses = openWitnesses({
    store,
    decide,
    heads: kept.heads,
    identity: () => witness.identity(),
    clock,
    log,
    every,
    later: (ms) => delay(ms, undefined, { ref: false }),
  });
  const listening = { port: config.listen.port };
  const binaries = parts.agentBinaries ?? loadAgentBinaries(build.version);
  const fleet = openFleet({
    store,
    decide,
    secrets,
    clock,
    log,
    every,
    identity: () => witness.identity(),
    requireRights: identity.requireRights,
    later: (ms) => delay(ms, undefined, { ref: false }),
    after,
    tellPresence: (nodes) => {
      overview.nodesMoved();
      bus.publish("presence", { nodes });
    },
    takeOutcome: (...told) => plans.takeOutcome(...told),
    takeStep: (...told) => plans.takeStep(...told),
    takeMinutes: (...told) => {
      nodeMetrics.take(...told);
      alerts.take(...told);
    },
    hostLogs,
    logBudget: config.hostLogsBudget,
    witness: witnesses,
    // Without a public URL the server is reached on its own machine alone.
    url: () => config.publicUrl?.origin ?? `http://localhost:${listening.port}`,
    beatSeconds: config.agentBeatSeconds,
    windowSeconds: config.agentWindowSeconds,
    binaries,
  });
  const alerts = openAlerts({
    store,
    decide,
    clock,
    log,
    every,
    later: (ms) => delay(ms, undefined, { ref: false }),
    requireRights: identity.requireRights,
    seen: (node) => fleet.seen(node),
  });
  fleet.onArrival((node) => alerts.arrived(node));
  const { authorities } = files;
  const geo = openGeo({
    template: config.geoipLookupUrl,
    telemetry,
    clock,
    log,
    after,
    network: authorities === undefined ? {} : { ca: authorities },
    findNode: (id) => fleet.findNode(id),
    listNodes: (seen, page) => fleet.listSeenNodes(seen, page),
  });
  const plugins = await openPlugins({
    config,
    log,
    clock,
    store,
    decide,
    secrets,
    ...files,
    runner: parts.runner,
    requireRights: identity.requireRights,
    listNodes: (page) => fleet.listNodes(page),
    findPlanNodes: (ids) => fleet.findPlanNodes(ids),
    readMetrics: (asked) => nodeMetrics.read(asked),
  });
  const plans = composePlans({
    config,
    listening,
    store,
    decide,
    blobs: kept.blobs,
    clock,
    log,
    every,
    requireRights: identity.requireRights,
    findNode: (id) => fleet.findNode(id),
    listNodes: (page) => fleet.listNodes(page),
    readStates: (nodeId, subjects) => fleet.readStates(nodeId, subjects),
    findDrift: (id) => fleet.findDrift(id),
    askPlan: (asker, question) => plugins.askPlan(asker, question),
    tasks: fleet,
    tellSteps: (of) => bus.publish("steps", { plans: of }),
    identity: () => witness.identity(),
  });
  const webhooks = await openWebhooks({
    store: {
      get: (...asked) => store.get(...asked),
      list: (...asked) => store.list(...asked),
      head: () => store.head(),
      follow: (listener) => store.follow(listener),
      searchAudit: auditCheck.reads.searchAudit,
    },
    decide,
    secrets,
    telemetry,
    clock,
    log,
    every,
    after,
    rest: () => delay(1, undefined, { ref: false }),
    random: Math.random,
    network: authorities === undefined ? {} : { ca: authorities },
    server: config.publicUrl?.origin ?? null,
    requireRights: identity.requireRights,
  });
  const overview = composeOverview({
    ...kept,
    ...files,
    clock,
    log,
    every,
    later: (ms) => delay(ms, undefined, { ref: false }),
    auditCheck,
    identity,
    fleet,
    plans,
    plugins,
    alerts,
    webhooks,
    witnesses,
    agentVersion: binaries.version,
  });
  const cspReports = openCspReports();
  const metrics = openMetrics({
    auditPosition: async () => (await store.head()).position,
    isStoreWritable: () => store.health().writable,
    auditCheck: () => auditCheck.report(),
    eventStreams: () => events.openStreams(),
    cspReports: () => cspReports.total(),
    metricMinutes: () => nodeMetrics.taken(),
    hostLogLines: () => hostLogs.kept(),
    alertsOpen: () => alerts.open(),
    alertsUnkept: () => alerts.unkept(),
    geoLookups: () => geo.asked(),
    geoFailures: () => geo.failures(),
    webhookDeliveries: () => webhooks.taken(),
    webhookFailures: () => webhooks.failures(),
    telemetryDropped: () => telemetry.dropped(),
  });

  let openApi = "";
  const rows = [
    ...systemRoutes({
      build,
      storeHealth: () => store.health(),
      auditCheck: () => auditCheck.report().state,
      isStopping: () => isStopping,
      metrics,
      cspReports,
      openApi: () => openApi,
    }),
    ...events.routes,
    ...identity.routes,
    ...auditRoutes({ store, witness, check: auditCheck }),
    ...witnesses.routes,
    ...plugins.routes,
    ...fleet.routes,
    ...nodeMetrics.routes,
    ...alerts.routes,
    ...hostLogs.routes,
    ...geo.routes,
    ...plans.routes,
    ...webhooks.routes,
    ...overview.routes,
    ...(parts.moreRoutes ?? []),
  ];
  const table = buildRouteTable(rows, [...fleet.sockets, ...(parts.moreSockets ?? [])]);
  openApi = JSON.stringify(describeApi(table, build.version));

  const edge = await openEdge({
    rules: config,
    table,
    site,
    authenticate: identity.authenticate,
    watchPrincipal: identity.watchPrincipal,
    log,
    clock,
    onFinished: (finished) => metrics.finished(finished),
    maxConnections,
  });
  // Whoever asks from now on is told of what happens from now on.
  await bus.ready();
  const address = await edge.listen(config.listen);
  listening.port = address.port;
  return {
    host: address.address,
    port: address.port,
    store,
    stop: async (deadlineMs) => {
      isStopping = true;
      await runAll([
        () => edge.stop(deadlineMs),
        () => events.close(),
        () => geo.close(),
        () => webhooks.close(),
        () => fleet.close(),
        () => alerts.close(),
        () => plans.close(),
        () => plugins.close(),
        () => identity.close(),
        () => unfollow(),
        () => overview.close(),
        () => bus.close(),
        () => metrics.close(),
        // Its steps end with the store, which is closed while this waits.
        () => Promise.all([witnesses.close(), retention.close(), auditCheck.close(), closeKept(kept)]),
      ]);
    },
  };
}

function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms).unref();
  return () => clearTimeout(timer);
}

function every(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms).unref();
  return () => clearInterval(timer);
}
