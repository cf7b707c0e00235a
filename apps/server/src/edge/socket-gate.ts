import type { IncomingHttpHeaders } from "node:http";
import { fault } from "@gatehouse/contract";
import type { RouteSpec } from "@gatehouse/contract/routes";
import type { RequestFacts, SocketCall } from "../platform/route/index.ts";
import { presentedCredential } from "./credential.ts";
import { isFromOwnPage } from "./cross-site.ts";
import { checkFraming, tooMany } from "./front.ts";
import type { Caller, Visit } from "./gate.ts";
import type { CallerLimit } from "./rate-limit.ts";
import { readCall } from "./read-call.ts";
import { type FoundSocket, handshakeOf, subprotocolForm } from "./socket-row.ts";

/** A request for a socket, before anything was decided about it. */
export interface SocketVisit extends FoundSocket {
  readonly facts: RequestFacts;
  readonly headers: IncomingHttpHeaders;
  readonly httpVersion: string;
  readonly query: string;
}

export interface SocketGateDeps {
  readonly isKnownHost: (host: string | undefined) => boolean;
  readonly publicOrigin: string | undefined;
  readonly cookieName: string;
  readonly limit: CallerLimit;
  /** The gate of the routes: credential, scope, nodes, proof. */
  readonly gate: (spec: RouteSpec, visit: Visit) => Caller | undefined | Promise<Caller | undefined>;
}

/**
 * Decides whether a request may become a socket, and for whom. Refusals are thrown, while the answer can still be a problem.
 * A handshake is a GET and a browser adds its cookie to it whichever page asks; Chromium says nothing of the site. So the
 * origin is what a page is judged by, always.
 */
export function openSocketGate(deps: SocketGateDeps) {
  return async (visit: SocketVisit): Promise<SocketCall> => {
    const { spec } = visit.row;
    checkFraming(visit.headers, visit.httpVersion);
    if (!deps.isKnownHost(visit.headers.host)) {
      throw fault("request.unknown_host", "the Host header names neither the public URL's host nor loopback");
    }
    if (spec.from === "agent") refusePages(visit.headers);
    else requireOwnOrigin(deps, visit.headers);
    checkHandshake(visit.headers, spec.subprotocol);
    const caller = spec.from === "agent" ? undefined : await callerOf(deps, visit);
    const { params, query } = readCall(handshakeOf(spec), {
      params: visit.params,
      query: visit.query,
      headers: undefined,
      body: undefined,
    });
    const call = { principal: caller?.principal, nodes: caller?.nodes, params, query, request: visit.facts };
    const admitted = await visit.row.admit?.(call);
    // What no filter made stops here, as it does for a route.
    caller?.nodes?.dataOf(admitted);
    return call;
  };
}

/** No agent is a browser. What a page opens has an origin, so that no page reaches an agent's socket by any way. */
function refusePages({ origin, cookie }: IncomingHttpHeaders): void {
  if (origin === undefined && cookie === undefined) return;
  throw fault("auth.cross_site", "a socket of agents takes no request with an Origin or a Cookie");
}

function requireOwnOrigin({ publicOrigin }: SocketGateDeps, { host, origin }: IncomingHttpHeaders): void {
  if (isFromOwnPage({ host, origin, secFetchSite: undefined }, publicOrigin)) return;
  throw fault("auth.cross_site", "a socket of the dashboard is opened by a page of its own origin");
}

/** Everything that the library would refuse by closing the connection with a page of its own. */
function checkHandshake(headers: IncomingHttpHeaders, subprotocol: string | undefined): void {
  if (headers.upgrade?.toLowerCase() !== "websocket") throw handshake("Upgrade must be websocket and nothing else");
  if (headers["sec-websocket-version"] !== "13") throw handshake("Sec-WebSocket-Version must be 13");
  if (!keyForm.test(headers["sec-websocket-key"] ?? ""))
    throw handshake("Sec-WebSocket-Key must be 16 bytes in base64");
  const offered = readOffered(headers["sec-websocket-protocol"]);
  if (subprotocol !== undefined && !offered.includes(subprotocol)) {
    throw handshake(`Sec-WebSocket-Protocol must offer ${subprotocol}`);
  }
}

const keyForm = /^[+/0-9A-Za-z]{22}==$/;
const mostOffered = 16;

function readOffered(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  const offered = header.split(",", mostOffered + 1).map((one) => one.trim());
  const isWellFormed = offered.length <= mostOffered && offered.every((one) => subprotocolForm.test(one));
  if (isWellFormed && new Set(offered).size === offered.length) return offered;
  throw handshake(`Sec-WebSocket-Protocol must be a list of at most ${mostOffered} different names`);
}

function handshake(detail: string): Error {
  return fault("request.malformed", `the WebSocket handshake is not acceptable: ${detail}`);
}

/** As for a route: the rate of the caller, then who it is and what the row asks for. */
async function callerOf(deps: SocketGateDeps, visit: SocketVisit): Promise<Caller | undefined> {
  const presented = presentedCredential(visit.headers, deps.cookieName);
  const admission = deps.limit.admit(visit.facts.clientAddress, presented);
  if (admission.wait > 0) throw tooMany(admission.wait);
  return deps.gate(handshakeOf(visit.row.spec), { ...visit, presented, admission });
}
