import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { EgressError } from "./egress-error.ts";
import { egressLimits } from "./limits.ts";

export interface ExchangeOptions {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly responseBytes: number;
  readonly signal: AbortSignal;
}

export interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What an answer may say about itself. No cookies; `location` is told, and not followed. */
const shownHeaders = [
  "cache-control",
  "content-encoding",
  "content-language",
  "content-type",
  "date",
  "etag",
  "expires",
  "last-modified",
  "link",
  "location",
  "retry-after",
] as const;

/** One request and its answer over a connection that is there already; the connection serves nothing else. */
export async function exchange(socket: Socket, options: ExchangeOptions): Promise<Exchanged> {
  const { method, path, headers, body, responseBytes, signal } = options;
  const response = await new Promise<IncomingMessage>((done, failed) => {
    const outgoing = request({
      // Given the connection, no agent is used: nothing is kept alive, and no proxy of the environment is asked.
      createConnection: () => socket,
      method,
      path,
      headers,
      setHost: false,
      maxHeaderSize: egressLimits.responseHeaderBytes,
      signal,
    });
    outgoing.once("response", done);
    // Stays: an error that comes after the answer is told by the answer's own stream.
    outgoing.on("error", failed);
    outgoing.once("close", () => failed(new EgressError("unreachable", "the host closed the connection")));
    outgoing.end(body);
  });
  return {
    status: response.statusCode ?? 0,
    headers: showHeaders(response),
    body: await readBody(response, responseBytes),
  };
}

async function readBody(response: IncomingMessage, most: number): Promise<Uint8Array> {
  const tooLarge = () => new EgressError("too_large", `the answer is larger than ${most} bytes`);
  if (Number(response.headers["content-length"] ?? 0) > most) throw tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function showHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    shownHeaders.flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value.slice(0, egressLimits.headerCharacters)]] : [];
    }),
  );
}
