import { Readable } from "node:stream";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Clock, Json } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { RouteSpec } from "@gatehouse/contract/routes";
import fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from "fastify";
import { ByteReply, Reply, type Route, StreamReply } from "../platform/route/index.ts";
import { bodyTooLarge, checkBodyHeaders, hasBody, parseBody } from "./body-rules.ts";
import { openBodyStream } from "./body-stream.ts";
import { sendBytes } from "./byte-reply.ts";
import { addressBlock } from "./client-address.ts";
import type { Exchange } from "./exchange.ts";
import { type EdgeRequest, tooMany } from "./front.ts";
import { type Caller, requireProofOfBody, type Visit } from "./gate.ts";
import { headerLines } from "./headers.ts";
import { edgeLimits } from "./limits.ts";
import { type Buckets, openBuckets } from "./rate-limit.ts";
import { readCall } from "./read-call.ts";
import type { Responder } from "./respond.ts";
import type { RouteTable } from "./route-table.ts";
import type { Streams } from "./stream.ts";

export interface ApiDeps {
  readonly table: RouteTable;
  readonly gate: (spec: RouteSpec, visit: Visit) => Caller | undefined | Promise<Caller | undefined>;
  readonly respond: Responder;
  readonly streams: Streams;
  readonly clock: Clock;
  readonly onClientError: (error: NodeJS.ErrnoException, socket: EdgeRequest["socket"]) => void;
}

/**
 * The router of the API: one row after another, each behind the gate. The order is fixed by the router's own stages: gate
 * (before the body is read), body, schemas, the proof where the body decides about it, handler. What one stage refuses, no later one sees.
 */
export async function buildApi(
  deps: ApiDeps,
  server: Server,
): Promise<(req: IncomingMessage, res: ServerResponse) => void> {
  let handler: (req: IncomingMessage, res: ServerResponse) => void = () => undefined;
  const app = fastify({
    logger: false,
    bodyLimit: edgeLimits.bodyBytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    genReqId: (raw) => exchangeOf(raw).facts.requestId,
    frameworkErrors: (_error, request) => deps.respond.problem(exchangeOf(request.raw), unknownRoute()),
    clientErrorHandler: deps.onClientError,
    serverFactory: (toRouter) => {
      handler = toRouter;
      return server;
    },
  });
  const answering = { ...deps, parsed: openBuckets(edgeLimits.parsedBytes, edgeLimits.rateKeys, deps.clock) };
  app.removeAllContentTypeParsers();
  // Kept as bytes until the gate has passed; the media type was judged there.
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) => done(null, bytes));
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.is404) done(notThere(deps.table, exchangeOf(request.raw)));
    else done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    reply.hijack();
    deps.respond.problem(exchangeOf(request.raw), refusalOf(error, request));
  });
  const serve = (on: FastifyInstance, row: Route) => {
    const { spec } = row;
    const pass = openPass(deps, spec);
    on.route({
      method: spec.method === "GET" ? ["GET", "HEAD"] : spec.method,
      url: spec.path,
      ...(spec.bodyLimit !== undefined && { bodyLimit: spec.bodyLimit }),
      onRequest: (request, _reply, done) => {
        const exchange = exchangeOf(request.raw);
        exchange.params = request.params;
        pass(exchange, done);
      },
      // A request without a body has one that has ended before anybody asks: whoever names a type for it all the same would wait for its end.
      preParsing: (request, _reply, body, done) => done(null, hasBody(request.headers) ? body : Readable.from([])),
      handler: (request, reply) => {
        reply.hijack();
        answer(answering, row, exchangeOf(request.raw), request);
      },
    });
  };
  const isStream = ({ spec }: Route) => spec.bodyStream !== undefined;
  for (const row of deps.table.routes.filter((one) => !isStream(one))) serve(app, row);
  app.register((streams, _options, done) => {
    // Nothing is read of it: its handler does that.
    streams.removeAllContentTypeParsers();
    streams.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
    for (const row of deps.table.routes.filter(isStream)) serve(streams, row);
    done();
  });
  await app.ready();
  return handler;
}

/** The stage before the body: the row's own rate, the gate, and what the headers say about the body. */
function openPass(deps: ApiDeps, spec: RouteSpec) {
  const rate = spec.rate && { perSecond: spec.rate.perMinute / 60, burst: spec.rate.burst };
  const buckets = rate && openBuckets(rate, edgeLimits.rateKeys, deps.clock);
  return (exchange: Exchange, done: (error?: Error) => void): void => {
    exchange.route = spec.path;
    const enter = (caller: Caller | undefined): Error | undefined => {
      try {
        exchange.caller = caller;
        checkBodyHeaders(spec, exchange.headers);
        exchange.isAdmitted = true;
        return undefined;
      } catch (thrown) {
        return asError(thrown);
      }
    };
    try {
      const wait = buckets?.take(addressBlock(exchange.facts.clientAddress)) ?? 0;
      if (wait > 0) throw tooMany(wait);
      const found = deps.gate(spec, exchange);
      if (found instanceof Promise) void enterLater(found, enter, done);
      else done(enter(found));
    } catch (thrown) {
      done(asError(thrown));
    }
  };
}

/** What is thrown can be anything, also nothing; nothing would mean "go on" to the router. */
function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error("something that is no error was thrown", { cause: thrown });
}

async function enterLater(
  found: Promise<Caller | undefined>,
  enter: (caller: Caller | undefined) => Error | undefined,
  done: (error?: Error) => void,
): Promise<void> {
  let refusal: Error | undefined;
  try {
    refusal = enter(await found);
  } catch (thrown) {
    refusal = asError(thrown);
  }
  done(refusal);
}

/** The stage after the body: schemas, handler, answer. */
function answer(
  deps: ApiDeps & { readonly parsed: Buckets },
  row: Route,
  exchange: Exchange,
  request: FastifyRequest,
): void {
  const { spec } = row;
  const bodyStream = spec.bodyStream === undefined ? undefined : openBodyStream(exchange);
  const refuse = (error: unknown) => {
    deps.respond.problem(exchange, error);
    bodyStream?.dropRest();
  };
  try {
    if (!exchange.isAdmitted) throw new Error(`${spec.method} ${spec.path} was reached past the gate`);
    const { body } = request;
    // Where there may be no body and none came, there is nothing to read.
    const reads = spec.body !== undefined && hasBody(request.headers);
    const call = readCall(spec, {
      params: exchange.params,
      query: exchange.query,
      headers: exchange.headers,
      body: reads ? readBody(deps.parsed, exchange, body as Uint8Array) : undefined,
    });
    requireProofOfBody(spec, { body: call.body, caller: exchange.caller, now: exchange.facts.now });
    const { principal, nodes } = exchange.caller ?? nobody;
    const result = row.handle({ ...call, bodyStream, principal, nodes, request: exchange.facts });
    if (result instanceof Promise) result.then((data) => send(deps, spec, exchange, data)).catch(refuse);
    else send(deps, spec, exchange, result);
  } catch (error) {
    refuse(error);
  }
}

const nobody = { principal: undefined, nodes: undefined };

/** However many credentials somebody has, their bodies are counted together; those of strangers by their address. */
function readBody(parsed: Buckets, { caller, facts }: Exchange, bytes: Uint8Array): Json {
  const wait = parsed.take(caller?.principal.id ?? addressBlock(facts.clientAddress), bytes.length);
  if (wait > 0) throw tooMany(wait);
  return parseBody(bytes);
}

function send(deps: ApiDeps, spec: RouteSpec, exchange: Exchange, given: unknown): void {
  const nodes = exchange.caller?.nodes;
  const data = nodes === undefined ? given : nodes.dataOf(given);
  if (data instanceof StreamReply) return deps.streams.open(exchange, data);
  if (data instanceof ByteReply) {
    sendBytes(deps.respond, exchange, data).catch((error) => deps.respond.problem(exchange, error));
    return;
  }
  if (data instanceof Reply) {
    const head = ["Cache-Control", "no-store", ...headerLines(data.headers)];
    if (data.mediaType !== undefined) head.push("Content-Type", data.mediaType);
    return deps.respond.whole(exchange, data.status, head, data.body);
  }
  const status = Number(Object.keys(spec.responses)[0]);
  if (spec.responses[status] === null) return deps.respond.whole(exchange, status, ["Cache-Control", "no-store"]);
  return deps.respond.json(exchange, status, JSON.stringify(data));
}

function exchangeOf(raw: IncomingMessage): Exchange {
  const { exchange } = raw as EdgeRequest;
  if (exchange === undefined) throw new Error("a request reached the router without passing the front");
  return exchange;
}

function unknownRoute(): Error {
  return fault("request.unknown_route", "no route has this path");
}

function notThere(table: RouteTable, { facts }: Exchange): Error {
  const isSocket = table.findSocket(facts.path) !== undefined;
  if (isSocket && facts.method === "GET") {
    return fault("request.upgrade_required", "the path takes a WebSocket handshake and no plain request");
  }
  const allow = [...table.methodsOf(facts.path), ...(isSocket ? ["GET"] : [])];
  if (allow.length === 0) return unknownRoute();
  return fault("request.method_not_allowed", `the route takes ${allow.join(", ")}`, { fields: { allow } });
}

/** The router's own refusals in our words. What is not known here stays a defect. */
function refusalOf(error: FastifyError, request: FastifyRequest): Error {
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return bodyTooLarge(request.routeOptions.bodyLimit);
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "ECONNRESET":
      return fault("request.malformed", "the body did not arrive whole");
    default:
      return error;
  }
}
