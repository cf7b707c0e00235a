import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type FaultCode, fault } from "@gatehouse/contract";
import type { ClientSocket } from "./front.ts";
import type { HeaderList } from "./headers.ts";
import { edgeLimits } from "./limits.ts";
import { refuseBroken, tooSlow } from "./refuse-broken.ts";
import type { Finished } from "./request-log.ts";
import { problemOf, type Responder } from "./respond.ts";

export interface RawDeps {
  readonly securityHeaders: HeaderList;
  /** What is known where no request could be read: headers that cannot be read cannot speak for anybody. */
  readonly identify: (socket: Socket) => AskedRequest;
  readonly onFinished: (finished: Finished) => void;
}

/** Which request an answer is for. */
export type AskedRequest = Pick<Finished, "facts" | "route" | "ms">;

export interface ClientErrorDeps extends RawDeps {
  readonly respond: Pick<Responder, "problem">;
}

/**
 * Answers what never became a request: bytes that are not HTTP, a head that is too large, a client that is too slow. An
 * earlier request of the same connection may still be worked on; its answer comes first, or the client would take this
 * one for it.
 */
export function openClientErrors(deps: ClientErrorDeps) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    const refusal = refusalOf(error.code);
    const { exchange } = socket as ClientSocket;
    if (exchange === undefined || (exchange.req.complete && exchange.res.writableFinished)) {
      return answerRaw(deps, socket, refusal);
    }
    // The bytes after a whole request are broken.
    if (exchange.req.complete) return void exchange.res.once("finish", () => answerRaw(deps, socket, refusal));
    return refuseBroken(deps.respond, exchange, refusal);
  };
}

/** Writes a whole problem to a socket that has no response object, and closes it. */
export function answerRaw(deps: RawDeps, socket: Socket, refusal: Error, asked = deps.identify(socket)): void {
  if (!socket.writable) return;
  const { requestId } = asked.facts;
  const { head, body } = problemOf(refusal, requestId);
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  const own = ["X-Request-Id", requestId, "Content-Length", String(bytes), "Connection", "close"];
  const headers = [...deps.securityHeaders, ...head, ...own];
  const lines = [`HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`, () => socket.destroySoon());
  deps.onFinished({ ...asked, status: body.status, bytes, isStream: false });
}

function refusalOf(code: string | undefined): Error {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return tooSlow();
  const [fits, detail] = refusals[code ?? ""] ?? broken;
  return fault(fits, detail);
}

const broken = ["request.malformed", "the bytes are not a well-formed HTTP/1.1 request"] as const;
const refusals: Readonly<Record<string, readonly [FaultCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    "request.headers_too_large",
    `the request's head is larger than ${edgeLimits.headerBytes} bytes`,
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["request.body_too_large", "the chunk extensions of the body are too large"],
};
