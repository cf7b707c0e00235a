import {
  agentSubprotocol,
  type ControlFrame,
  controlPath,
  readChallenge,
  readControlFrame,
  readServerHello,
  type WelcomeBody,
  writeControlFrame,
} from "@gatehouse/channel";
import { isSignedBy, loadPublicKey } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import type { NewEnrolment } from "@gatehouse/contract/routes";
import { expect } from "vitest";
import { WebSocket } from "ws";
import type { PretendHost } from "../../../tests/support/pretend-host.ts";
import type { AuthServer } from "./auth-server.ts";
import { opened } from "./planted-sockets.ts";
import type { Visitor } from "./visitor.ts";

/** An agent's end of the channel, over a real socket: what came is kept until it is asked for. */
export class PretendAgent {
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #came: (string | Buffer)[] = [];
  readonly #waiting: ((data: string | Buffer) => void)[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data: Buffer, isBinary) => {
      const one = isBinary ? data : data.toString();
      const waits = this.#waiting.shift();
      if (waits === undefined) this.#came.push(one);
      else waits(one);
    });
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  static async dial(port: number, headers: Record<string, string> = {}): Promise<PretendAgent> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${controlPath}`, [agentSubprotocol], { headers });
    const agent = new PretendAgent(socket);
    await opened(socket);
    return agent;
  }

  next(): Promise<string | Buffer> {
    const here = this.#came.shift();
    if (here !== undefined) return Promise.resolve(here);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  async nextFrame(): Promise<ControlFrame | undefined> {
    return readControlFrame(String(await this.next()), "server");
  }

  /** Calls for every frame that comes from now on; they are kept for `next` all the same. */
  onFrame(take: (sent: ControlFrame) => void): void {
    this.socket.on("message", (data: Buffer, isBinary) => {
      const sent = isBinary ? undefined : readControlFrame(data.toString(), "server");
      if (sent !== undefined) take(sent);
    });
  }

  send(sent: ControlFrame | Uint8Array | string): void {
    this.socket.send(typeof sent === "string" || sent instanceof Uint8Array ? sent : writeControlFrame(sent));
  }
}

export async function enrolPretend(
  server: AuthServer,
  owner: Visitor,
  host: PretendHost,
  wanted: object = {},
): Promise<PretendHost> {
  const made = await owner.call<{ items: NewEnrolment[] }>("POST", "/api/nodes/enrolments", { body: wanted });
  const body = host.enrolment(made.body.items[0]?.code ?? "");
  const answer = await server.visitor().call("POST", "/api/agent/enrol", { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return host;
}

/** Dials, says hello and verifies the welcome: an agent that is online. */
export async function connectPretend(
  server: Pick<AuthServer, "port">,
  host: PretendHost,
  cursor = { acked: 0, last: 0 },
  features: readonly string[] = [],
): Promise<PretendAgent & { readonly welcome: WelcomeBody }> {
  const agent = await PretendAgent.dial(server.port);
  const challenge = (await agent.next()) as Buffer;
  agent.send(host.hello(challenge, { body: { agentVersion: "0.2.1-alpha.1", cursor, features: [...features] } }));
  const first = await Promise.race([agent.next(), agent.closed]);
  if (!Buffer.isBuffer(first)) throw new Error(`the hello was refused: ${JSON.stringify(first)}`);
  const welcome = readSigned(first, [64], readServerHello);
  const key = loadPublicKey(readChallenge(challenge)?.server ?? new Uint8Array(), "the server");
  expect(welcome && isSignedBy(key, welcome.framed, welcome.signatures[0])).toBe(true);
  return Object.assign(agent, { welcome: welcome?.value.body as WelcomeBody });
}
