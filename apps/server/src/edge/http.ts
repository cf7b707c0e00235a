import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Clock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { Log } from "../platform/log/index.ts";
import type { Authenticate, WatchPrincipal } from "../platform/route/index.ts";
import type { SiteMap } from "../platform/site-map/index.ts";
import { buildApi } from "./api.ts";
import { answerRaw, openClientErrors } from "./client-error.ts";
import { type ClientAddressRules, clientAddresses } from "./client-address.ts";
import { type Connections, connectionsOfAgents, connectionsPerAddress, watchConnections } from "./connections.ts";
import { sessionCookieName } from "./credential.ts";
import { beginExchange, type ClientSocket, EdgeRequest, factsOf, type FrontDeps, openFront } from "./front.ts";
import { openGate } from "./gate.ts";
import { type HeaderRules, securityHeaders } from "./headers.ts";
import { knownHosts } from "./known-host.ts";
import { edgeLimits } from "./limits.ts";
import { openCallerLimit, type Rate } from "./rate-limit.ts";
import { openRequestIds } from "./request-id.ts";
import { type Finished, openRequestLog, type RequestLogRules } from "./request-log.ts";
import { readRequestPath } from "./request-path.ts";
import { openResponder } from "./respond.ts";
import type { RouteTable } from "./route-table.ts";
import { openSite } from "./site.ts";
import { openSocketGate } from "./socket-gate.ts";
import { openSockets } from "./sockets.ts";
import { openStreams } from "./stream.ts";

export interface EdgeRules extends HeaderRules, ClientAddressRules, RequestLogRules {
  readonly apiRate: Rate;
  readonly metricsToken?: string | undefined;
}

export interface EdgeDeps {
  readonly rules: EdgeRules;
  readonly table: RouteTable;
  readonly site: SiteMap;
  readonly authenticate: Authenticate;
  readonly watchPrincipal: WatchPrincipal;
  readonly log: Log;
  readonly clock: Clock;
  readonly onFinished: (finished: Finished) => void;
  /** Open connections at most; further ones are closed at once. */
  readonly maxConnections: number;
}

export interface Edge {
  listen(at: { readonly host: string; readonly port: number }): Promise<AddressInfo>;
  /** Takes no new connection, ends streams, closes sockets, lets requests under way finish until the deadline, then cuts them. */
  stop(deadlineMs: number): Promise<void>;
}

/** HTTP as a whole: what a socket says becomes a call of a feature, and its answer goes back. */
export async function openEdge(deps: EdgeDeps): Promise<Edge> {
  const { rules, clock } = deps;
  const always = securityHeaders(rules);
  const ids = openRequestIds();
  const limit = openCallerLimit(rules.apiRate, edgeLimits.rateKeys, clock);
  const logRequest = openRequestLog(deps.log, rules);
  const onFinished = (finished: Finished) => {
    deps.onFinished(finished);
    logRequest(finished);
  };
  const monotonic = () => clock.monotonic();
  const respond = openResponder({ securityHeaders: always, log: deps.log, monotonic, onFinished });
  const streams = openStreams(respond);
  const gate = openGate({
    authenticate: deps.authenticate,
    limit,
    metricsToken: rules.metricsToken,
    publicOrigin: rules.publicUrl?.origin,
  });
  const addresses = clientAddresses(rules, once(warnOfContradiction(deps.log)));
  const asking = { clock, nextRequestId: ids, addresses };
  const isKnownHost = knownHosts(rules.publicUrl);
  const cookieName = sessionCookieName(rules.secureCookies);
  const identify = ({ remoteAddress }: Socket) => {
    const { address } = addresses.peer(remoteAddress);
    const facts = { requestId: ids(clock.now()), method: "", path: "", clientAddress: address, now: 0 };
    return { facts, route: "unparsed", ms: 0 };
  };
  const raw = { securityHeaders: always, identify, onFinished };
  const sockets = openSockets({
    table: deps.table,
    gate: openSocketGate({ isKnownHost, publicOrigin: rules.publicUrl?.origin, cookieName, limit, gate }),
    factsOf: (req, path) => factsOf(asking, req, path),
    raw,
    watchPrincipal: deps.watchPrincipal,
    connections: () => connections,
    agents: connectionsOfAgents(deps.maxConnections),
    log: deps.log,
    clock,
  });
  const server = createServer({ ...serverOptions, shouldUpgradeCallback: (req) => sockets.shouldUpgrade(req) });
  server.maxConnections = deps.maxConnections;
  const api = await buildApi(
    { table: deps.table, gate, respond, streams, clock, onClientError: openClientErrors({ ...raw, respond }) },
    server,
  );
  const front: FrontDeps = {
    ...asking,
    isKnownHost,
    limit,
    cookieName,
    probes: new Set(deps.table.routes.filter(({ spec }) => spec.probe).map(({ spec }) => spec.path)),
    isSocket: (path) => deps.table.findSocket(path) !== undefined,
    respond,
    site: openSite(deps.site, respond),
    api,
  };
  server.on("request", openFront(front));
  server.on("upgrade", (req, socket, head) => sockets.upgrade(req, socket as ClientSocket, head));
  server.on("connect", (_request, socket: Socket) => answerRaw(raw, socket, connectRefused()));
  server.on("checkExpectation", (req: EdgeRequest, res: ServerResponse) => {
    const exchange = beginExchange(front, req, res, readRequestPath(req.url ?? ""));
    respond.problem(exchange, fault("request.malformed", "the only known expectation is 100-continue"));
  });
  const perAddress = connectionsPerAddress(deps.maxConnections);
  const connections: Connections = watchConnections(server, { addresses, perAddress, log: deps.log });

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once("error", (cause) => reject(cannotListen(host, port, cause)));
        server.listen({ host, port, backlog: edgeLimits.waitingConnections }, () =>
          resolve(server.address() as AddressInfo),
        );
      }),
    stop: (deadlineMs) =>
      new Promise((resolve) => {
        respond.startClosing();
        const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
        const cutSockets = setTimeout(() => sockets.cutAll(), Math.min(edgeLimits.socketCloseMs, deadlineMs));
        // An answer that began before the stop has promised to keep its connection; it ends with the answer all the same.
        const sweep = setInterval(() => server.closeIdleConnections(), edgeLimits.stopSweepMs);
        server.close(() => {
          clearTimeout(cut);
          clearTimeout(cutSockets);
          clearInterval(sweep);
          connections.close();
          resolve();
        });
        streams.endAll();
        sockets.closeAll();
        connections.closeSilent();
      }),
  };
}

/** Visitors can cause it as often as they like; the operator has to hear it once. */
function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

function warnOfContradiction(log: Pick<Log, "warn">): () => void {
  return () =>
    log.warn("the proxy passes on a client-IP header that its forwarded-for chain contradicts; the chain is used", {
      todo: "Have the proxy set or strip X-Real-IP and CF-Connecting-IP, and append to X-Forwarded-For (docs/operate/install.md).",
    });
}

const serverOptions = {
  IncomingMessage: EdgeRequest,
  maxHeaderSize: edgeLimits.headerBytes,
  headersTimeout: edgeLimits.headersTimeoutMs,
  // Of the longest stream; every other body is held to its own time.
  requestTimeout: edgeLimits.streamMs,
  keepAliveTimeout: edgeLimits.keepAliveTimeoutMs,
  connectionsCheckingInterval: edgeLimits.connectionCheckMs,
  // A header sent twice becomes one odd value that nothing accepts, instead of one of the two.
  joinDuplicateHeaders: true,
  // Answered by us, as a problem.
  requireHostHeader: false,
  optimizeEmptyRequests: true,
} as const;

function connectRefused(): Error {
  return fault("request.method_not_allowed", "this server is no proxy", { fields: { allow: ["GET", "HEAD"] } });
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): Error {
  return fault("config.invalid", `SERVICE_LISTEN: cannot listen on ${host}:${port} (${cause.code})`, { cause });
}
