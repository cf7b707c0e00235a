import { connect } from "node:net";
import { stopMs } from "../../support/stopped.ts";

/** What came back over a socket. Status 0 means that the connection ended without an answer. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; a header that came twice has its values joined by a line feed. */
  readonly headers: ReadonlyMap<string, string>;
  readonly head: string;
  readonly body: Buffer;
  /** A figure; it decides nothing. */
  readonly ms: number;
}

export interface SendOptions {
  /** Our own end: another loopback address makes us another peer. */
  readonly localAddress?: string;
  /**
   * After this long without an answer we say that nothing more comes, and the server closes what it still waited for. For
   * requests that are only half there.
   */
  readonly patienceMs?: number;
}

/** Sends bytes as they are and reads until the answer is there, or the head of one that goes on, or the other side closes. */
export function sendRaw(port: number, bytes: string | Uint8Array, options: SendOptions = {}): Promise<RawAnswer> {
  const started = performance.now();
  const { localAddress, patienceMs } = options;
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", ...(localAddress !== undefined && { localAddress }) });
    const finish = () => {
      clearTimeout(stop);
      clearTimeout(farewell);
      socket.destroy();
      done({ ...parseAnswer(Buffer.concat(chunks)), ms: performance.now() - started });
    };
    const farewell = patienceMs === undefined ? undefined : setTimeout(() => socket.end(), patienceMs);
    const stop = setTimeout(() => {
      failed(new Error(`stopped after ${stopMs / 1_000} s without an answer: ${shown(bytes)}`));
      socket.destroy();
    }, stopMs);
    socket.on("data", (chunk) => {
      chunks.push(chunk as Buffer);
      if (isWhole(Buffer.concat(chunks))) finish();
    });
    // A server that refuses early may close while we still write: what it said before counts.
    socket.on("error", () => undefined);
    socket.on("close", finish);
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  });
}

export interface RequestOptions extends SendOptions {
  readonly method?: string;
  readonly path: string;
  /** Sent as they are, in this order, after Host unless Host is among them. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

/** One request on one connection. Nothing is escaped: a path or a value may hold any byte. */
export function send(port: number, options: RequestOptions): Promise<RawAnswer> {
  return sendRaw(port, requestBytes(port, options), options);
}

export function requestBytes(port: number, { method = "GET", path, headers = [], body }: RequestOptions): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : Buffer.from(body ?? "");
  const lines = [`${method} ${path} HTTP/1.1`];
  if (!names.has("host")) lines.push(`Host: 127.0.0.1:${port}`);
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (body !== undefined && !names.has("content-length") && !names.has("transfer-encoding")) {
    lines.push(`Content-Length: ${bytes.length}`);
  }
  if (!names.has("connection")) lines.push("Connection: close");
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}

function shown(bytes: string | Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes).toString("latin1", 0, 120));
}

/** Whether the answer's own length says that it is there. One without a length ends with its connection. */
function isWhole(bytes: Buffer): boolean {
  const { status, headers, body } = parseAnswer(bytes);
  if (status === 101 || status === 204 || status === 304) return true;
  // A stream goes on until somebody leaves it: its head is all there is to wait for.
  if (headers.get("content-type")?.startsWith("text/event-stream") === true) return true;
  const length = headers.get("content-length");
  return status !== 0 && length !== undefined && body.length >= Number(length);
}

function parseAnswer(bytes: Buffer): Pick<RawAnswer, "status" | "headers" | "head" | "body"> {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return { status: 0, headers: new Map(), head: bytes.toString("latin1"), body: Buffer.alloc(0) };
  const head = bytes.toString("latin1", 0, end);
  const [first = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  // An interim answer is followed by the real one.
  if (status === 100) return parseAnswer(bytes.subarray(end + 4));
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}\n${value}`);
  }
  return { status, headers, head, body: bytes.subarray(end + 4) };
}
