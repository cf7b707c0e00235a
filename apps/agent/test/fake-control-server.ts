import { createHash, type KeyObject } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import {
  type AgentHello,
  agentSubprotocol,
  type Challenge,
  challengeFrame,
  controlPath,
  readAgentHello,
  serverHelloFrame,
  type WelcomeBody,
} from "@gatehouse/channel";
import { importPrivateKey, isSignedBy, loadPublicKey, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned, splitSigned } from "@gatehouse/keys/frame";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { Certificate } from "./certificate.ts";

export const serverKey = importPrivateKey(new Uint8Array(32).fill(5));
export const honestWelcome: WelcomeBody = {
  acked: 0,
  beatSeconds: 10,
  windowSeconds: 20,
  head: null,
  serverTime: Date.UTC(2026, 0, 1),
};

/** One connection of an agent, and everything that came over it. */
export interface Peer {
  readonly socket: WebSocket;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly received: (string | Uint8Array)[];
  /** How the agent ended it. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Waits for the next message. */
  next(): Promise<string | Uint8Array>;
}

/** A real WebSocket server; what it says is the test's. */
export async function startControlServer(
  serve: (peer: Peer) => unknown,
  options: { deflate?: boolean; tls?: Certificate } = {},
) {
  const absent: RequestListener = (_, response) => response.writeHead(404).end();
  const http = options.tls === undefined ? createServer(absent) : createSecureServer(options.tls, absent);
  const sockets = new WebSocketServer({
    server: http,
    path: controlPath,
    perMessageDeflate: options.deflate === true,
    handleProtocols: (offered) => (offered.has(agentSubprotocol) ? agentSubprotocol : false),
  });
  const peers: Peer[] = [];
  sockets.on("connection", (socket, { headers }) => {
    const peer = makePeer(socket, headers);
    peers.push(peer);
    void serve(peer);
  });
  await new Promise<void>((resolve) => http.listen(0, options.tls === undefined ? "127.0.0.1" : "localhost", resolve));
  onTestFinished(() => {
    for (const { socket } of peers) socket.terminate();
    sockets.close();
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { url: options.tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`, peers };
}

function makePeer(socket: WebSocket, headers: Readonly<Record<string, unknown>>): Peer {
  const received: (string | Uint8Array)[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    received.push(isBinary ? new Uint8Array(data) : data.toString("utf8"));
    for (const wake of waiting.splice(0)) wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: reason.toString("utf8") }));
  });
  const next = async () => {
    while (received.length <= taken) await new Promise<void>((resolve) => waiting.push(resolve));
    taken += 1;
    return received[taken - 1] as string | Uint8Array;
  };
  return { socket, headers, received, closed, next };
}

const sevens = new Uint8Array(32).fill(7);

export const honestChallenge: Challenge = {
  versions: { min: 1, max: 1 },
  server: publicKeyBytes(serverKey),
  nonce: sevens,
  at: 1,
};

/** The server's part of a hello. Checks the agent's half as the server does. */
export async function greet(
  peer: Peer,
  how: { challenge?: Partial<Challenge>; welcome?: object; key?: KeyObject } = {},
): Promise<AgentHello> {
  peer.socket.send(challengeFrame({ ...honestChallenge, ...how.challenge }));
  const { hello, framed } = await readHello(peer);
  peer.socket.send(welcomeTo(framed, how));
  return hello;
}

export async function readHello(peer: Peer): Promise<{ hello: AgentHello; framed: Uint8Array }> {
  const sent = await peer.next();
  const parts = typeof sent === "string" ? undefined : splitSigned(sent, [64]);
  const hello = parts && readAgentHello(parts.framed);
  if (parts === undefined || hello === undefined) throw new Error("no hello");
  if (!isSignedBy(loadPublicKey(hello.channelKey, "C"), parts.framed, parts.signatures[0])) {
    throw new Error("the hello is not signed");
  }
  return { hello, framed: parts.framed };
}

export function welcomeTo(framed: Uint8Array, how: { welcome?: object; key?: KeyObject } = {}): Uint8Array {
  const digest = createHash("sha256").update(framed).digest();
  const welcome = serverHelloFrame(digest, { ...honestWelcome, ...how.welcome });
  return joinSigned(welcome, signBytes(how.key ?? serverKey, welcome));
}
