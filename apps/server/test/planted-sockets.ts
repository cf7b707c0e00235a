import { connect, type Socket } from "node:net";
import type { AgentSocketSpec, BrowserSocketSpec } from "@gatehouse/contract/routes";
import { expect, onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import * as z from "zod";
import type { SocketCall, SocketConnection, SocketRoute } from "../src/platform/route/index.ts";
import { type RawAnswer, readAnswers } from "./raw-answer.ts";
import { startServer } from "./start-server.ts";

/** Sockets as the product will have them: one of agents, one of people who are signed in. */
export const agentSpec: AgentSocketSpec = {
  path: "/api/planted/agent",
  summary: "",
  from: "agent",
  access: { kind: "agent" },
  maxFrame: 1_024,
  subprotocol: "planted.1",
};

export const browserSpec: BrowserSocketSpec = {
  path: "/api/planted/nodes/:id/attach",
  summary: "",
  from: "browser",
  access: { kind: "scope", scope: "terminal:open", nodes: { param: "id" }, stepUp: "sessions" },
  params: z.strictObject({ id: z.string() }),
  maxFrame: 1_024,
};

/** A row that keeps what was opened. An agent that says `hello` is admitted; whatever else is said comes back. */
export function plantedSocket(spec: SocketRoute["spec"], more: Partial<SocketRoute> = {}) {
  const opened: SocketConnection[] = [];
  const calls: SocketCall[] = [];
  const ends: number[] = [];
  const row: SocketRoute = {
    spec,
    open: (connection, call) => {
      opened.push(connection);
      calls.push(call);
      connection.onMessage((data) => {
        if (data === "hello") connection.admitted();
        connection.send(data);
      });
      connection.onClose((code) => ends.push(code));
    },
    ...more,
  };
  return { row, opened, calls, ends };
}

/** A client of the planted agent row, once it is open. */
export async function openAgent(port: number, options: ClientOptions = {}): Promise<WebSocket> {
  return opened(new WebSocket(`ws://127.0.0.1:${port}${agentSpec.path}`, [agentSpec.subprotocol ?? ""], options));
}

/** Waits until it is open, and ends it with the test. */
export async function opened(client: WebSocket): Promise<WebSocket> {
  onTestFinished(() => client.terminate());
  await new Promise((resolve, reject) => {
    client.once("open", resolve);
    client.once("error", reject);
  });
  client.on("error", () => undefined);
  return client;
}

/** Says something and gives what comes back. */
export async function echoed(client: WebSocket, said: string | Uint8Array): Promise<string | Buffer> {
  const answer = new Promise<string | Buffer>((resolve) => {
    client.once("message", (data: Buffer, isBinary) => resolve(isBinary ? data : data.toString()));
  });
  client.send(said);
  return answer;
}

export async function codeAtEnd(client: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    client.once("close", resolve);
  });
}

const good: Readonly<Record<string, string>> = {
  Host: "localhost",
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Protocol": "planted.1",
};

/** The text of a good handshake, with other headers or, where undefined, without them. */
export function handshake(path: string, other: Readonly<Record<string, string | undefined>> = {}): string {
  const lines = Object.entries({ ...good, ...other }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** The head of the answer to a handshake; a refusal is read whole. */
export async function tryHandshake(port: number, text: string): Promise<RawAnswer & { readonly socket: Socket }> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write(text);
  let received = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const [answer] = readAnswers(received);
      if (answer !== undefined) resolve({ ...answer, socket });
    });
    socket.on("close", () => reject(new Error(`closed after ${received.length} bytes`)));
  });
}

/** What a refusal said: its status and code. */
export function said(answer: RawAnswer): string {
  if (answer.status === 101) return "101";
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.headers.get("x-request-id")).toBe(answer.json()["requestId"]);
  return `${answer.status} ${String(answer.json()["code"])}`;
}

/** The whole server with these sockets beside its own, and a line in its log for every one that was opened. */
export function startPlanted(...planted: ReturnType<typeof plantedSocket>[]) {
  return startServer({ config: { accessLog: true }, parts: { moreSockets: planted.map(({ row }) => row) } });
}
