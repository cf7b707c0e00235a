import type { Socket } from "node:net";
import { fault } from "@gatehouse/contract";
import type { HeaderList } from "./headers.ts";
import { problemOf } from "./respond.ts";

export interface ClientErrorDeps {
  readonly securityHeaders: HeaderList;
  readonly nextRequestId: () => string;
  readonly canAnswer: (socket: Socket) => boolean;
}

/** Answers what never became a request: bytes that are not HTTP, a head that is too large, a client that is too slow. */
export function openClientErrors(deps: ClientErrorDeps) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable || error.code === "ECONNRESET" || !deps.canAnswer(socket)) return void socket.destroy();
    answerRaw(deps, socket, refusalOf(error.code));
  };
}

/** Writes a whole problem to a socket that has no response object, and closes it. */
export function answerRaw(deps: Omit<ClientErrorDeps, "canAnswer">, socket: Socket, refusal: Error): void {
  const requestId = deps.nextRequestId();
  const { head, body } = problemOf(refusal, requestId);
  const text = JSON.stringify(body);
  const headers = [
    ...deps.securityHeaders,
    ...head,
    "X-Request-Id",
    requestId,
    "Content-Length",
    String(Buffer.byteLength(text)),
    "Connection",
    "close",
  ];
  const lines = [`HTTP/1.1 ${body.status} Refused`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`, () => socket.destroySoon());
}

function refusalOf(code: string | undefined): Error {
  if (code === "HPE_HEADER_OVERFLOW")
    return fault("request.headers_too_large", "the request line and headers are larger than 16384 bytes");
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW")
    return fault("request.body_too_large", "the chunk extensions of the body are too large");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return fault("request.timeout", "the request did not arrive within its time limit");
  return fault("request.malformed", "the bytes are not a well-formed HTTP/1.1 request");
}
