import { setImmediate as turn } from "node:timers/promises";
import { type Clock, manualClock } from "@gatehouse/base";
import { recordKinds } from "@gatehouse/contract/records";
import { ephemeralSecrets, ephemeralWitness, type Head, type Store, type Witness } from "@gatehouse/store";
import { openDecide } from "@gatehouse/store/decide";
import { type Blobs, memoryBlobs } from "@gatehouse/store/blobs";
import { type KeptHead, memoryHeads } from "@gatehouse/store/heads";
import { memoryTelemetry, type Telemetry } from "@gatehouse/store/telemetry";
import { expect, onTestFinished } from "vitest";
import { composeOverview } from "../src/compose-overview.ts";
import { loadConfig } from "../src/config.ts";
import { sessionCookieName } from "../src/edge/credential.ts";
import { openEdge } from "../src/edge/http.ts";
import { buildRouteTable } from "../src/edge/route-table.ts";
import { findProgram, openArtifacts, requireArtifacts } from "../src/features/artifacts/index.ts";
import { openAlerts } from "../src/features/alerts/index.ts";
import { auditRoutes, openAuditCheck } from "../src/features/audit/index.ts";
import { type IdentityDeps, openIdentity } from "../src/features/auth/index.ts";
import { openEvents } from "../src/features/events/index.ts";
import { openFleet } from "../src/features/fleet/index.ts";
import { marketplaceRoutes } from "../src/features/marketplace/index.ts";
import { openHostLogs } from "../src/features/host-logs/index.ts";
import { type GeoDeps, openGeo } from "../src/features/geo/index.ts";
import { openNodeMetrics } from "../src/features/metrics/index.ts";
import { openPlans } from "../src/features/plans/index.ts";
import { askPlan } from "../src/features/plugin-runtime/index.ts";
import { settingsRoutes } from "../src/features/settings/index.ts";
import { openCspReports, openMetrics, systemRoutes } from "../src/features/system/index.ts";
import { openWebhooks, type WebhooksDeps } from "../src/features/webhooks/index.ts";
import { openWitnesses } from "../src/features/witnesses/index.ts";
import { inProcessBus } from "../src/platform/bus/index.ts";
import { openLog } from "../src/platform/log/index.ts";
import type { Route, SocketRoute } from "../src/platform/route/index.ts";
import { countCalls, watchedRow, withoutRate } from "./watched-rows.ts";
import { farStore } from "./far-store.ts";
import { openHearing } from "./open-hearing.ts";
import { openPluginParts, type TestPlugins } from "./plugin-parts.ts";
import { testBuild, testSite } from "./start-server.ts";
import { ownerPassword, Visitor } from "./visitor.ts";

export interface AuthServerOptions {
  readonly store?: Store;
  readonly telemetry?: Telemetry;
  readonly blobs?: Blobs;
  /** Those of the server before, for one that is started again. */
  readonly secrets?: IdentityDeps["secrets"];
  readonly witness?: Witness;
  readonly keptHeads?: KeptHead[];
  readonly clock?: Clock & { advance(ms: number): void };
  readonly secureCookies?: boolean;
  readonly signInsPerMinute?: number;
  readonly firstAdmin?: IdentityDeps["firstAdmin"];
  readonly plugins?: TestPlugins;
  /** Where addresses are looked up; nowhere unless said otherwise. */
  readonly geo?: Pick<GeoDeps, "template" | "network">;
  readonly webhooks?: Pick<WebhooksDeps, "network">;
  /** Leaves out the rates of single routes, for tests that call them many times. */
  readonly withoutRates?: boolean;
  readonly metricsToken?: string;
  /** Rows of the test's own, beside those of the product. */
  readonly moreRoutes?: readonly Route[];
  /** One with a path of the product stands in its place. */
  readonly moreSockets?: readonly SocketRoute[];
  /** Of artifacts; 32 MiB unless said otherwise. */
  readonly partBytes?: number;
  /** Told of every call that reaches a handler, before it runs. */
  readonly onHandled?: (requestId: string) => void;
}

/** The edge, identity, audit, events and plugins over a far store, on a free port, with a clock that a test moves. */
export async function startAuthServer(options: AuthServerOptions = {}) {
  const { clock = manualClock(), secureCookies = false } = options;
  const { store = farStore(), telemetry = memoryTelemetry({ clock }) } = options;
  const logLines: string[] = [];
  const log = openLog({ format: "text", write: (line) => logLines.push(line) });
  const sweeps: (() => void)[] = [];
  const ticks: { ms: number; act: () => void }[] = [];
  const every = (ms: number, act: () => void) => {
    ticks.push({ ms, act });
    return () => undefined;
  };
  const timers = new Set<{ at: number; act: () => void }>();
  const after = (ms: number, act: () => void) => {
    const timer = { at: clock.monotonic() + ms, act };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const counted = countCalls(store);
  const decide = openDecide(counted);
  const identity = await openIdentity({
    store: counted,
    telemetry,
    decide,
    secrets: options.secrets ?? ephemeralSecrets(),
    clock,
    random: () => 0,
    log,
    cookie: { name: sessionCookieName(secureCookies), secure: secureCookies },
    signInsPerMinute: options.signInsPerMinute ?? 1_000,
    firstAdmin: options.firstAdmin ?? { username: "admin", password: ownerPassword },
    every,
    after,
    passwordCost: { memory: 64, passes: 1, lanes: 1 },
  });
  const bus = inProcessBus({ namespace: "test", onListenerError: (error) => log.error("bus", {}, error) });
  const unfollow = store.follow((committed) =>
    bus.publish("audit.moved", { position: committed.at(-1)?.position ?? 0 }),
  );
  const auditCheck = openAuditCheck({ store, clock, log, every: () => () => undefined });
  const events = openEvents({
    store: { head: () => store.head(), searchAudit: auditCheck.reads.searchAudit },
    kinds: recordKinds,
    bus,
    watchPrincipal: identity.watchPrincipal,
    every: () => () => undefined,
    later: () => Promise.resolve(),
    random: () => 0,
    onError: (error) => log.error("events", {}, error),
  });
  const hearing = await openHearing(store);
  const cspReports = openCspReports();
  const metrics = openMetrics({
    auditPosition: async () => (await store.head()).position,
    isStoreWritable: () => true,
    auditCheck: () => auditCheck.report(),
    eventStreams: () => 0,
    cspReports: () => 0,
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
  const plugins = await openPluginParts(
    { store, clock, log, decide, requireRights: identity.requireRights },
    options.plugins,
  );
  const witness = options.witness ?? ephemeralWitness(store);
  const heads = memoryHeads(options.keptHeads);
  const identityOf = () => witness.identity();
  const around = { clock, log, every, later: () => Promise.resolve() };
  const witnesses = openWitnesses({ ...around, store: counted, decide, heads, identity: identityOf });
  const hostLogs = openHostLogs({ telemetry, nodeIds: () => fleet.nodeIds() });
  const nodeMetrics = openNodeMetrics({ telemetry, clock, requireNode: (id) => fleet.requireNode(id) });
  const fleet = openFleet({
    store,
    decide,
    secrets: ephemeralSecrets(),
    clock,
    log,
    every: (_ms, act) => {
      sweeps.push(act);
      return () => undefined;
    },
    identity: identityOf,
    requireRights: identity.requireRights,
    later: () => Promise.resolve(),
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
    logBudget: { linesPerSecond: 200, behindSeconds: 300 },
    witness: witnesses,
    url: () => "http://localhost:8088",
    beatSeconds: 10,
    windowSeconds: 20,
    binaries: { version: testBuild.version, items: [], find: () => undefined },
  });
  const blobs = options.blobs ?? memoryBlobs({ clock });
  const shared = {
    store: counted,
    decide,
    blobs,
    clock,
    log,
    every,
    requireRights: identity.requireRights,
  };
  const alerts = openAlerts({
    ...shared,
    later: () => Promise.resolve(),
    seen: (node) => fleet.seen(node),
  });
  fleet.onArrival((node) => alerts.arrived(node));
  const geo = openGeo({
    template: "off",
    network: {},
    ...options.geo,
    telemetry,
    clock,
    log,
    after,
    findNode: (id) => fleet.findNode(id),
    listNodes: (seen, page) => fleet.listSeenNodes(seen, page),
  });
  const webhooks = await openWebhooks({
    network: options.webhooks?.network ?? {},
    ...shared,
    secrets: options.secrets ?? ephemeralSecrets(),
    telemetry,
    after,
    rest: () => Promise.resolve(),
    random: () => 0,
    server: "https://gate.example.test",
  });
  const artifacts = openArtifacts({
    ...shared,
    plansNaming: (sha256, now) => plans.plansNaming(sha256, now),
    blobsOfPlans: () => plans.namedBlobs(),
    ...(options.partBytes !== undefined && { partBytes: options.partBytes }),
  });
  const plans = openPlans({
    ...shared,
    requireArtifacts,
    findProgram,
    blobsOfOthers: () => artifacts.namedBlobs(),
    findNode: (id) => fleet.findNode(id),
    listNodes: (page) => fleet.listNodes(page),
    readStates: (nodeId, subjects) => fleet.readStates(nodeId, subjects),
    findDrift: (id) => fleet.findDrift(id),
    askPlan: (asker, question) => askPlan(plugins.asking, asker, question),
    tasks: fleet,
    tellSteps: (of) => bus.publish("steps", { plans: of }),
    identity: identityOf,
    server: { addresses: () => [], ports: () => [8088] },
  });
  const read = { store, telemetry, auditCheck, identity, fleet, plans, alerts, webhooks, witnesses };
  const overview = composeOverview({
    ...shared,
    ...read,
    later: () => Promise.resolve(),
    policy: plugins.policy,
    plugins: { ...plugins.lifecycle, rejections: plugins.bundles.rejections },
    agentVersion: testBuild.version,
  });
  const rows = [
    ...systemRoutes({
      build: testBuild,
      storeHealth: () => store.health(),
      auditCheck: () => auditCheck.report().state,
      isStopping: () => false,
      metrics,
      cspReports,
      openApi: () => "{}",
    }),
    ...events.routes,
    ...identity.routes,
    ...auditRoutes({ store, witness, check: auditCheck }),
    ...witnesses.routes,
    ...plugins.routes((ids) => fleet.findPlanNodes(ids)),
    ...marketplaceRoutes({ items: [], isPlaced: () => false }),
    ...fleet.routes,
    ...nodeMetrics.routes,
    ...alerts.routes,
    ...hostLogs.routes,
    ...geo.routes,
    ...webhooks.routes,
    ...plans.routes,
    ...artifacts.routes,
    ...overview.routes,
    ...settingsRoutes({ store: counted, decide, requireRights: identity.requireRights }),
    ...(options.moreRoutes ?? []),
  ];
  const { onHandled = () => undefined, moreSockets = [] } = options;
  const watched = rows.map((row) => watchedRow(row, onHandled));
  const served = options.withoutRates === true ? watched.map(withoutRate) : watched;
  const replaced = new Set(moreSockets.map(({ spec }) => spec.path));
  const sockets = [...fleet.sockets.filter(({ spec }) => !replaced.has(spec.path)), ...moreSockets];
  const table = buildRouteTable(served, sockets);
  const edge = await openEdge({
    rules: {
      ...loadConfig({}),
      apiRate: { perSecond: 100_000, burst: 100_000 },
      secureCookies,
      metricsToken: options.metricsToken,
    },
    table,
    site: testSite,
    authenticate: identity.authenticate,
    watchPrincipal: identity.watchPrincipal,
    log,
    clock,
    onFinished: () => undefined,
    maxConnections: 10_000,
  });
  const { port } = await edge.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${port}`;
  const secrets = new Set([ownerPassword]);
  const rest = async () => {
    do await turn();
    while (counted.callsUnderWay() > 0);
  };
  let closing: Promise<void> | undefined;
  /** As compose stops: the edge first, the store last. */
  const close = () => {
    closing ??= (async () => {
      await edge.stop(100);
      events.close();
      await geo.close();
      await alerts.close();
      await webhooks.close();
      await witnesses.close();
      await plans.close();
      await artifacts.close();
      await identity.close();
      unfollow();
      overview.close();
      await bus.close();
      metrics.close();
    })();
    return closing;
  };
  onTestFinished(close);
  return {
    url,
    port,
    store,
    blobs,
    clock,
    table,
    identity,
    witness,
    logLines,
    secrets,
    close,
    visitor: () => new Visitor(url, secrets),
    /** Everything that happens once a minute, now and to its end. */
    tick: async () => {
      for (const { act } of ticks) act();
      await rest();
    },
    rest,
    /** Looks for agents that have gone silent. */
    sweep: () => {
      for (const act of sweeps) act();
    },
    /** Waits until the server has been told of everything up to there: of what it has written itself, unless said otherwise. */
    hear: async (head?: Head) => hearing.reach(head ?? (await store.head())),
    /** Runs the timers that are due. */
    runTimers: () => {
      for (const timer of timers) {
        if (timer.at > clock.monotonic()) continue;
        timers.delete(timer);
        timer.act();
      }
    },
    audit: async () => (await store.searchAudit({ order: "oldest", limit: 1_000 })).items,
    actions: async () => (await store.searchAudit({ order: "oldest", limit: 1_000 })).items.map(({ action }) => action),
  };
}

export type AuthServer = Awaited<ReturnType<typeof startAuthServer>>;

/** Creates a user through the API and returns a visitor who has signed in as that user. */
export async function newVisitor(server: AuthServer, owner: Visitor, role: string, username = role): Promise<Visitor> {
  const password = `the ${username} has otters`;
  server.secrets.add(password);
  const made = await owner.call("POST", "/api/users", { body: { username, role, password } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return server.visitor().signIn(username, password);
}

/** The user's ETag, as the server gives it, for a change of what it stands for. */
export async function tagOf(visitor: Visitor, userId: string): Promise<{ readonly "If-Match": string }> {
  const { headers, status } = await visitor.call("GET", `/api/users/${userId}`);
  expect(status).toBe(200);
  return { "If-Match": headers.get("etag") ?? "none" };
}

/** A visitor with a token that the session issued. */
export async function tokenVisitor(server: AuthServer, session: Visitor, wanted: Record<string, unknown>) {
  const issued = await session.call<{ id: string; token: string }>("POST", "/api/tokens", {
    body: { name: "test", ...wanted },
  });
  expect(issued.status, JSON.stringify(issued.body)).toBe(201);
  server.secrets.add(issued.body.token);
  const visitor = server.visitor();
  visitor.bearer = issued.body.token;
  return { visitor, id: issued.body.id, token: issued.body.token };
}

/** Fails when a password, a cookie's value or a token stands in the audit log, in a record or in the server's log. */
export async function expectNoSecretKept(server: AuthServer): Promise<void> {
  const kept = await Promise.all(recordKinds.map((kind) => server.store.list(kind)));
  const text = JSON.stringify([await server.audit(), kept, server.logLines]);
  for (const secret of server.secrets) expect(text.includes(secret), "a secret was kept").toBe(false);
}
