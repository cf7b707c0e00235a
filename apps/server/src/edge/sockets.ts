import type { IncomingMessage } from "node:http";
import type { Clock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { WebSocketServer } from "ws";
import type { Log } from "../platform/log/index.ts";
import type { Principal, RequestFacts, SocketCall, SocketRoute, WatchPrincipal } from "../platform/route/index.ts";
import { hasBody } from "./body-rules.ts";
import { addressBlock } from "./client-address.ts";
import { answerRaw, type RawDeps } from "./client-error.ts";
import type { Connections } from "./connections.ts";
import { asksForSocket, type ClientSocket, tooMany } from "./front.ts";
import { edgeLimits } from "./limits.ts";
import { openBuckets } from "./rate-limit.ts";
import { readRequestPath } from "./request-path.ts";
import { logFailure, problemOf } from "./respond.ts";
import type { RouteTable } from "./route-table.ts";
import { EdgeWebSocket, OpenSocket, type SocketOwner } from "./socket-connection.ts";
import type { SocketVisit } from "./socket-gate.ts";
import { openSocketPlaces } from "./socket-places.ts";

export interface SocketsDeps {
  readonly table: Pick<RouteTable, "sockets" | "findSocket">;
  readonly gate: (visit: SocketVisit) => Promise<SocketCall>;
  readonly factsOf: (req: IncomingMessage, path: string) => RequestFacts;
  readonly raw: RawDeps;
  readonly watchPrincipal: WatchPrincipal;
  readonly connections: () => Pick<Connections, "handOver" | "uncount">;
  /** Agents that may be connected. */
  readonly agents: number;
  readonly log: Pick<Log, "error">;
  readonly clock: Pick<Clock, "monotonic">;
}

export interface Sockets {
  /** Whether a request that asks for another protocol gets one. Every other one stays an ordinary request. */
  shouldUpgrade(req: IncomingMessage): boolean;
  upgrade(req: IncomingMessage, socket: ClientSocket, head: Buffer): void;
  /** Says to every one that the server restarts, and opens no other. */
  closeAll(): void;
  /** Ends what is left. */
  cutAll(): void;
}

/** Every WebSocket of the server: from the request that asks for it, over its hello, to its end. */
export function openSockets(deps: SocketsDeps): Sockets {
  const { raw, log, clock } = deps;
  const live = new Set<OpenSocket>();
  /** Requests that are being judged; the server forgot them when they asked for another protocol. */
  const judged = new Set<ClientSocket>();
  const places = openSocketPlaces<OpenSocket>({
    agents: deps.agents,
    hellos: edgeLimits.hellosInFlight,
    helloMs: edgeLimits.helloMs,
  });
  const knocks = openBuckets(edgeLimits.helloRate, edgeLimits.rateKeys, clock);
  let isEnding = false;
  const look = setInterval(() => {
    for (const one of live) if (one.isStalled()) one.cut();
  }, edgeLimits.readerCheckMs).unref();

  const owner: SocketOwner = {
    proved: (connection) => {
      places.prove(connection);
      knocks.forget(addressBlock(connection.facts.clientAddress));
      deps.connections().uncount(connection.socket);
    },
    ended: (connection) => {
      live.delete(connection);
      places.leave(connection);
      connection.unwatch?.();
      const { facts, row, startedAt, socket } = connection;
      const ms = clock.monotonic() - startedAt;
      raw.onFinished({ facts, route: row.spec.path, status: 101, bytes: socket.bytesWritten, ms, isStream: true });
    },
    failed: ({ facts }, error) => {
      log.error("a socket failed", { path: facts.path.slice(0, 1_024), requestId: facts.requestId }, error);
    },
  };

  let opening = "";
  const protocols = new Map(
    deps.table.sockets.map((row) => {
      const server = new WebSocketServer(protocolOptions(row));
      server.on("headers", (lines) => void lines.push(`X-Request-Id: ${opening}`));
      return [row, server];
    }),
  );

  const watch = (connection: OpenSocket, principal: Principal) => {
    const end = () => connection.close(1008, "the credential is no longer good");
    connection.unwatch = deps.watchPrincipal(principal, end);
  };

  const begin = (visit: Visited, call: SocketCall) => {
    const { row, facts, req, socket, head, startedAt } = visit;
    const block = addressBlock(facts.clientAddress);
    if (row.spec.from === "agent") {
      // First, so that whoever only knocks turns nobody out.
      const wait = knocks.take(block);
      if (wait > 0) throw tooMany(wait);
      places.makeRoom(block);
    }
    opening = facts.requestId;
    // In one step: it answers, and has called back or closed the connection when it returns.
    protocols.get(row)?.handleUpgrade(req, socket, head, (ws) => {
      socket.off("error", destroySelf);
      const connection = new OpenSocket(ws, { facts, row, socket, startedAt, owner });
      live.add(connection);
      if (row.spec.from === "agent") places.take(connection, block);
      connection.run(() => {
        if (call.principal !== undefined) watch(connection, call.principal);
        if (!connection.isClosing) row.open(connection, call);
      });
    });
  };

  const refuse = ({ facts, row, socket, startedAt }: Visited, error: unknown) => {
    logFailure(log, facts, problemOf(error, facts.requestId).body, error);
    const refusal =
      error instanceof Error ? error : new Error("something that is no error was thrown", { cause: error });
    answerRaw(raw, socket, refusal, { facts, route: row.spec.path, ms: clock.monotonic() - startedAt });
  };

  const judge = async (visit: Visited) => {
    const { socket } = visit;
    judged.add(socket);
    try {
      const call = await deps.gate(visit);
      if (isEnding) throw fault("server.stopping", "the server is stopping");
      begin(visit, call);
    } catch (error) {
      refuse(visit, error);
    } finally {
      judged.delete(socket);
    }
  };

  return {
    shouldUpgrade: (req) => {
      // With a body it stays a request, which is refused for that.
      if (req.method !== "GET" || !asksForSocket(req.headers) || hasBody(req.headers)) return false;
      const { place, path } = readRequestPath(req.url ?? "");
      return place === "api" && deps.table.findSocket(path) !== undefined;
    },
    upgrade: (req, socket, head) => {
      socket.on("error", destroySelf);
      deps.connections().handOver(socket);
      const { path, query } = readRequestPath(req.url ?? "");
      const found = deps.table.findSocket(path);
      if (found === undefined)
        return answerRaw(raw, socket, fault("request.unknown_route", "there is no WebSocket at this path"));
      const { headers, httpVersion } = req;
      // The row's own text, where it is the same: the request's would keep the whole head in memory.
      const facts = deps.factsOf(req, path === found.row.spec.path ? found.row.spec.path : path);
      const visit = { ...found, facts, headers, httpVersion, query, req, socket, head, startedAt: clock.monotonic() };
      const earlier = socket.exchange;
      socket.exchange = undefined;
      if (earlier === undefined || (earlier.req.complete && earlier.res.writableFinished)) return void judge(visit);
      // The answer to an earlier request of this connection is under way: it comes first, and both cannot be.
      const why = "a WebSocket needs a connection without an answer under way";
      earlier.res.once("finish", () => refuse(visit, fault("request.malformed", why)));
    },
    closeAll: () => {
      isEnding = true;
      clearInterval(look);
      for (const one of live) one.close(1012, "the server restarts");
    },
    cutAll: () => {
      for (const one of live) one.cut();
      for (const socket of judged) socket.destroy();
    },
  };
}

/** A visit with what it takes to answer it. */
interface Visited extends SocketVisit {
  readonly req: IncomingMessage;
  readonly socket: ClientSocket;
  readonly head: Buffer;
  readonly startedAt: number;
}

/** Nobody else listens on a socket that left HTTP, and an error that nobody hears ends the process. */
function destroySelf(this: ClientSocket): void {
  this.destroy();
}

function protocolOptions({ spec: { maxFrame, subprotocol } }: SocketRoute) {
  return {
    noServer: true,
    WebSocket: EdgeWebSocket,
    clientTracking: false,
    perMessageDeflate: false,
    // Answered by us, who look at how much of it gathers.
    autoPong: false,
    closeTimeout: edgeLimits.socketCloseMs,
    maxPayload: maxFrame,
    // A message that comes in crumbs takes more memory than its bytes.
    maxFragments: 128,
    maxBufferedChunks: 1_024,
    handleProtocols: (offered: ReadonlySet<string>) =>
      subprotocol !== undefined && offered.has(subprotocol) ? subprotocol : (false as const),
  };
}
