import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

export interface Heard {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly version: string;
  readonly headers: IncomingHttpHeaders;
}

/** Asked for this it says nothing, ever. */
export const silentPath = "/silent";

/** Stands where the server stands and writes down what the proxy sends there; it takes every upgrade, and then sends back what comes. */
export async function startEchoServer() {
  const heard: Heard[] = [];
  const upgraded = new Set<Duplex>();
  const server = createServer((request, response) => {
    heard.push(describe(request));
    if (request.url !== silentPath) request.resume().on("end", () => response.end("heard"));
  });
  server.on("upgrade", (request, socket) => {
    heard.push(describe(request));
    upgraded.add(socket.on("error", () => undefined).once("close", () => upgraded.delete(socket)));
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    socket.pipe(socket);
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
        for (const socket of upgraded) socket.destroy();
      }),
  };
}

function describe(request: IncomingMessage): Heard {
  return { method: request.method, url: request.url, version: request.httpVersion, headers: request.headers };
}
