import { once } from "node:events";
import { connect } from "node:net";
import type { RunningServer } from "./server-under-test.ts";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Asks on a connection whose request had begun before the server was told to stop, and is whole only afterwards: the one way to
 * be answered by a server that takes no new connections. Resolves when the server has ended.
 */
export async function askWhileStopping(server: RunningServer, path: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  const [first, second] = [`GET ${path} HTTP/1.1\r\n`, "Host: localhost\r\n\r\n"];
  await new Promise((written) => socket.write(first, written));
  // Another request, answered, shows that the server has read what was written before it.
  await fetch(`${server.baseUrl}/api/health`);
  server.signal("SIGTERM");
  await server.log.waitFor(/\bstopping\b/);
  socket.write(second);
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  await server.ended;
  return parseAnswer(Buffer.concat(parts).toString("utf8"));
}

function parseAnswer(text: string): RawAnswer {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [line = "", ...rest] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
  if (Number.isNaN(status)) throw new Error(`the server closed the connection without an answer: ${text}`);
  const headers = Object.fromEntries(
    rest.map((header) => [header.slice(0, header.indexOf(":")).toLowerCase(), header.slice(header.indexOf(":") + 2)]),
  );
  return { status, headers, json: JSON.parse(body) as Record<string, unknown> };
}
