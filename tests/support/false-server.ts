import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import {
  type AgentHello,
  agentSubprotocol,
  challengeFrame,
  readAgentHello,
  type VersionRange,
} from "@gatehouse/channel";
import { readSigned } from "@gatehouse/keys/frame";
import { WebSocketServer } from "ws";

/** A server that names a key which it does not have: it asks agents, and cannot welcome any. */
export interface FalseServer {
  /** `127.0.0.1:PORT`. */
  readonly place: string;
  readonly hellos: readonly AgentHello[];
  stop(): Promise<void>;
}

export async function startFalseServer(says: {
  readonly key: Uint8Array;
  readonly versions: VersionRange;
}): Promise<FalseServer> {
  const hellos: AgentHello[] = [];
  const http = createServer((_, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ server: http, handleProtocols: () => agentSubprotocol });
  sockets.on("connection", (socket) => {
    socket.send(
      challengeFrame({ versions: says.versions, server: says.key, nonce: new Uint8Array(32).fill(7), at: Date.now() }),
    );
    socket.on("message", (data: Buffer) => {
      const hello = readSigned(data, [64], readAgentHello);
      if (hello !== undefined) hellos.push(hello.value);
      socket.close();
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    place: `127.0.0.1:${(http.address() as AddressInfo).port}`,
    hellos,
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}
