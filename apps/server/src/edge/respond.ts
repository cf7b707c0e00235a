import { Fault, type FaultKind } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { problemMediaType, problemType } from "@gatehouse/contract/routes";
import type { Log } from "../platform/log/index.ts";
import type { RequestFacts } from "../platform/route/index.ts";
import type { Exchange } from "./exchange.ts";
import type { HeaderList } from "./headers.ts";
import type { Finished } from "./request-log.ts";

/** The one place where a refusal becomes a status. */
export const statusOfKind: Readonly<Record<FaultKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  unknown: 404,
  method: 405,
  timeout: 408,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  unsupported: 415,
  misdirected: 421,
  failed: 422,
  upgrade: 426,
  limited: 429,
  header_too_large: 431,
  internal: 500,
  // Met at a start, which it refuses, and by whoever reads while the server runs.
  damaged: 500,
  startup: 500,
  unavailable: 503,
  full: 507,
};

export interface ResponderDeps {
  readonly securityHeaders: HeaderList;
  readonly log: Log;
  readonly monotonic: () => number;
  readonly onFinished: (finished: Finished) => void;
}

/** Bytes in the form of a string, one character each. */
export class Bytes {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export interface Responder {
  json(exchange: Exchange, status: number, text: string): void;
  /** Any answer in one piece. `head` is everything but the security headers, the request id and the length. */
  whole(exchange: Exchange, status: number, head: HeaderList, body?: string | Uint8Array | Bytes): void;
  problem(exchange: Exchange, error: unknown): void;
  /** The head of an answer that goes on. */
  begin(exchange: Exchange, head: HeaderList): void;
  /** An answer that went on is over: only now its size and its time are known. */
  ended(exchange: Exchange, bytes: number): void;
  /** From now on every answer asks the client to close its connection. */
  startClosing(): void;
}

export function openResponder(deps: ResponderDeps): Responder {
  let isClosing = false;
  const jsonHead = ["Cache-Control", "no-store", "Content-Type", "application/json; charset=utf-8"];

  const headOf = (exchange: Exchange, head: HeaderList): string[] => {
    const list = [...deps.securityHeaders, ...head, "X-Request-Id", exchange.facts.requestId];
    if (isClosing || exchange.isLast) list.push("Connection", "close");
    return list;
  };

  const finish = (exchange: Exchange, status: number, bytes: number, isStream: boolean) => {
    const { facts, route, startedAt } = exchange;
    deps.onFinished({ facts, route, status, bytes, ms: deps.monotonic() - startedAt, isStream });
  };

  const whole: Responder["whole"] = (exchange, status, head, body) => {
    const { res } = exchange;
    const list = headOf(exchange, head);
    const length = lengthOf(body);
    if (body !== undefined) list.push("Content-Length", String(length));
    res.writeHead(status, list);
    if (body instanceof Bytes) res.end(body.text, "latin1");
    else res.end(body);
    finish(exchange, status, exchange.facts.method === "HEAD" ? 0 : length, false);
  };

  return {
    whole,
    json: (exchange, status, text) => whole(exchange, status, jsonHead, text),
    begin: (exchange, head) => {
      exchange.res.writeHead(200, headOf(exchange, head));
      exchange.res.flushHeaders();
    },
    ended: (exchange, bytes) => finish(exchange, 200, bytes, true),
    problem: (exchange, error) => {
      const problem = problemOf(error, exchange.facts.requestId);
      logFailure(deps.log, exchange.facts, problem.body, error);
      // Too late for a problem: a half answer must not look like a whole one.
      if (exchange.res.headersSent) exchange.res.destroy();
      else whole(exchange, problem.body.status, problem.head, JSON.stringify(problem.body));
    },
    startClosing: () => {
      isClosing = true;
    },
  };
}

/** The reason of an answer that says nothing about it. */
export function logFailure(
  log: Pick<Log, "error">,
  { method, path, requestId }: RequestFacts,
  { status, code }: { readonly status: number; readonly code: string },
  error: unknown,
): void {
  if (status >= 500) log.error("request failed", { code, method, path: path.slice(0, 1_024), requestId }, error);
}

function lengthOf(body: string | Uint8Array | Bytes | undefined): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  return body instanceof Bytes ? body.text.length : (body?.byteLength ?? 0);
}

/** RFC 9457. A 5xx says which request failed and nothing about how. */
export function problemOf(error: unknown, requestId: string) {
  const known = error instanceof Fault && error.kind !== "internal" && error.kind !== "startup";
  const refusal = known ? error : fault("server.internal", "");
  const status = statusOfKind[refusal.kind];
  return {
    head: [...problemHead, ...caseHead(refusal)],
    body: {
      ...refusal.fields,
      type: problemType(refusal.code),
      title: refusal.title,
      status,
      detail: status >= 500 ? refusal.title : refusal.detail,
      code: refusal.code,
      requestId,
      todo: refusal.todo,
    },
  };
}

const problemHead = ["Cache-Control", "no-store", "Content-Type", problemMediaType];

/** Headers that belong to the case: they are read from its fields, so the body and the header always agree. */
function caseHead({ kind, fields }: Fault): string[] {
  const head: string[] = [];
  if (kind === "unauthenticated") head.push("WWW-Authenticate", 'Bearer realm="gatehouse"');
  if (typeof fields["retryAfter"] === "number") head.push("Retry-After", String(fields["retryAfter"]));
  if (kind === "upgrade") head.push("Upgrade", "websocket");
  if (kind === "method" && Array.isArray(fields["allow"])) head.push("Allow", fields["allow"].join(", "));
  return head;
}
