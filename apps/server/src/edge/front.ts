import { type IncomingHttpHeaders, IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { RequestFacts } from "../platform/route/index.ts";
import { hasBody } from "./body-rules.ts";
import { BodyTime } from "./body-time.ts";
import type { ClientAddresses, Peer } from "./client-address.ts";
import { presentedCredential } from "./credential.ts";
import { Exchange } from "./exchange.ts";
import { edgeLimits } from "./limits.ts";
import type { CallerLimit } from "./rate-limit.ts";
import { refuseBroken, tooSlow } from "./refuse-broken.ts";
import { type RequestPath, readRequestPath } from "./request-path.ts";
import type { Responder } from "./respond.ts";

export interface FrontDeps {
  readonly clock: Clock;
  readonly nextRequestId: (now: number) => string;
  readonly addresses: ClientAddresses;
  readonly isKnownHost: (host: string | undefined) => boolean;
  readonly limit: CallerLimit;
  readonly cookieName: string;
  /** Paths that answer for every Host and are not limited. */
  readonly probes: ReadonlySet<string>;
  readonly isSocket: (path: string) => boolean;
  readonly respond: Responder;
  readonly site: (exchange: Exchange, place: RequestPath["place"]) => void;
  readonly api: (req: IncomingMessage, res: ServerResponse) => void;
}

/** A request that carries its exchange to the code behind the router. */
export class EdgeRequest extends IncomingMessage {
  exchange: Exchange | undefined = undefined;
}

/** What is kept per connection: its other end, the last request that came over it, and for whom it is counted. */
export interface ClientSocket extends Socket {
  peer?: Peer;
  exchange?: Exchange | undefined;
  /** Whose share of the connections it takes. */
  block?: string | undefined;
}

/**
 * The first thing every request meets, in one synchronous step: an id, the client's address, the host check, the rate
 * limit. It answers pages and files itself and hands the rest to the API's router.
 */
export function openFront(deps: FrontDeps) {
  return (req: EdgeRequest, res: ServerResponse): void => {
    const asked = readRequestPath(req.url ?? "");
    const exchange = beginExchange(deps, req, res, asked);
    try {
      admit(deps, exchange, asked.place);
      if (asked.place === "api") deps.api(req, res);
      else deps.site(exchange, asked.place);
    } catch (error) {
      deps.respond.problem(exchange, error);
    }
  };
}

export function beginExchange(deps: FrontDeps, req: EdgeRequest, res: ServerResponse, asked: RequestPath): Exchange {
  const facts = factsOf(deps, req, asked.path);
  const exchange = new Exchange(req, res, facts, asked.query, deps.clock.monotonic());
  req.exchange = exchange;
  (req.socket as ClientSocket).exchange = exchange;
  if (hasBody(exchange.headers)) limitBody(deps.respond, exchange);
  return exchange;
}

function limitBody(respond: FrontDeps["respond"], exchange: Exchange): void {
  exchange.bodyTime = new BodyTime(exchange.req, () => refuseBroken(respond, exchange, tooSlow()));
  exchange.bodyTime.begin(edgeLimits.requestTimeoutMs);
}

/** An id, and who asks. */
export function factsOf(
  deps: Pick<FrontDeps, "addresses" | "clock" | "nextRequestId">,
  req: IncomingMessage,
  path: string,
): RequestFacts {
  const socket = req.socket as ClientSocket;
  socket.peer ??= deps.addresses.peer(socket.remoteAddress);
  const now = deps.clock.now();
  return {
    requestId: deps.nextRequestId(now),
    method: req.method ?? "",
    path,
    clientAddress: deps.addresses.client(socket.peer, req.headers),
    now,
  };
}

function admit(deps: FrontDeps, exchange: Exchange, place: RequestPath["place"]): void {
  const { headers, facts } = exchange;
  if (place === "malformed") throw fault("request.malformed", "the request target must be a path");
  checkFraming(headers, exchange.req.httpVersion);
  const isProbe = deps.probes.has(facts.path);
  if (!isProbe && !deps.isKnownHost(headers.host)) {
    throw fault("request.unknown_host", "the Host header names neither the public URL's host nor loopback");
  }
  // The shell and the files are constant bytes from memory: sending them costs no more than refusing them.
  if (place !== "api" && place !== "nowhere") return;
  exchange.presented = presentedCredential(headers, deps.cookieName);
  if (!isProbe) {
    exchange.admission = deps.limit.admit(facts.clientAddress, exchange.presented);
    const { wait } = exchange.admission;
    if (wait > 0) throw tooMany(wait);
  }
  if (place === "nowhere") throw fault("request.unknown_route", "the path is not a plain API path");
  // Where there is one, and the request does not ask for it properly, the router says what is wanted.
  if (asksForSocket(headers) && !deps.isSocket(facts.path)) {
    throw fault("request.unknown_route", "there is no WebSocket at this path");
  }
}

export function asksForSocket({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase().includes("websocket") === true;
}

/** What the parser lets pass, or would notice only after we have answered. */
export function checkFraming(headers: IncomingHttpHeaders, httpVersion: string): void {
  if (headers.host === undefined && httpVersion !== "1.0") {
    throw fault("request.malformed", "the Host header is missing");
  }
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked") {
    throw fault("request.malformed", "the only known transfer coding is chunked");
  }
  // A broken body behind an upgrade is never reported by the parser; the request would hang until its time is up.
  if (headers.upgrade !== undefined && hasBody(headers)) {
    throw fault("request.malformed", "a request that asks for another protocol must not have a body");
  }
}

export function tooMany(wait: number): Error {
  return fault("request.rate_limited", `the next request is accepted in ${wait} s`, { fields: { retryAfter: wait } });
}
