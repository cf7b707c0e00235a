import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SmallServer {
  readonly url: URL;
  readonly received: Received[];
}

/** A server that answers as the test says, on a free port, for as long as the test runs. */
export async function startSmallServer(
  answer: (response: ServerResponse, request: Received) => void,
): Promise<SmallServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      received.push({ method, path, headers, body });
      answer(response, { method, path, headers, body });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), received };
}

export function sendJson(response: ServerResponse, status: number, value: unknown, type = "application/json"): void {
  response.writeHead(status, { "Content-Type": `${type}; charset=utf-8` }).end(JSON.stringify(value));
}

export function sendProblem(response: ServerResponse, status: number, code: string, more: object = {}): void {
  const problem = {
    type: `urn:gatehouse:problem:${code}`,
    title: "Title",
    status,
    detail: "why",
    code,
    requestId: "r1",
  };
  response.setHeader("Retry-After", "retryAfter" in more ? String(more.retryAfter) : "");
  sendJson(response, status, { ...problem, ...more }, "application/problem+json");
}
