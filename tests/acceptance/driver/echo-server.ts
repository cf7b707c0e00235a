import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface Heard {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly version: string;
  readonly headers: IncomingHttpHeaders;
}

/** Stands where the server stands and writes down what the proxy sends there; it takes every upgrade. */
export async function startEchoServer() {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    heard.push(describe(request));
    request.resume().on("end", () => response.end("heard"));
  });
  server.on("upgrade", (request, socket) => {
    heard.push(describe(request));
    socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nover");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    heard,
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

function describe(request: IncomingMessage): Heard {
  return { method: request.method, url: request.url, version: request.httpVersion, headers: request.headers };
}
