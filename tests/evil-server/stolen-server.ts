import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import {
  agentSubprotocol,
  challengeFrame,
  type ControlFrame,
  controlPath,
  decodeBase64url,
  readAgentHello,
  readControlFrame,
  readFacts,
  serverHelloFrame,
  type SignedFacts,
  writeControlFrame,
} from "@gatehouse/channel";
import { importPrivateKey, isSignedBy, loadPublicKey, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned, readSigned } from "@gatehouse/keys/frame";
import { type WebSocket, WebSocketServer } from "ws";
import type { Random } from "../support/random.ts";
import type { EvilCase, EvilGround, Message, RawBytes } from "./evil-case.ts";

/** A case, and what it draws from. */
export interface LoadedCase {
  readonly evil: EvilCase;
  readonly random: Random;
}

/** The stolen key itself. */
export const serverKey = importPrivateKey(new Uint8Array(32).fill(5));
export const serverPublicKey = publicKeyBytes(serverKey);
const sign = (framed: Uint8Array) => joinSigned(framed, signBytes(serverKey, framed));
/** No name of the fault table, so that the agent calls it `bye`. */
const goodbye = writeControlFrame({ t: "bye", code: "evil.server" });

/** The server that the host is enrolled with, key and all, in other hands. Every connection gets one case; without any left it is honest. */
export class StolenServer {
  readonly publicKey = serverPublicKey;
  /** What each connection was for, in their order; undefined for an honest one. */
  readonly served: (EvilCase | undefined)[] = [];
  /** What was answered to cases that wait for an answer; undefined when the connection ended before. */
  readonly answers: { readonly evil: EvilCase; readonly said: ControlFrame | undefined }[] = [];
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  #queue: LoadedCase[] = [];
  #calm = Promise.withResolvers<SignedFacts>();
  #honest: WebSocket | undefined;

  constructor() {
    this.#http = createServer((_, response) => response.writeHead(404).end());
    this.#sockets = new WebSocketServer({
      server: this.#http,
      path: controlPath,
      perMessageDeflate: false,
      handleProtocols: () => agentSubprotocol,
    });
    this.#sockets.on("connection", (socket) => void this.#serve(socket));
  }

  async listen(): Promise<string> {
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Turns evil for so many connections. */
  attack(cases: readonly LoadedCase[]): void {
    this.#queue = [...cases];
    this.#calm = Promise.withResolvers();
    this.#honest?.send(goodbye);
    this.#honest?.close();
    this.#honest = undefined;
  }

  /** What the host has signed about itself on the honest connection behind the cases, once it has also beaten there. */
  calm(): Promise<SignedFacts> {
    return this.#calm.promise;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, "close");
  }

  async #serve(socket: WebSocket): Promise<void> {
    // A peer that goes in the middle of what it was sent is no news.
    socket.on("error", () => socket.terminate());
    const next = this.#queue.shift();
    this.served.push(next?.evil);
    if (next === undefined) return this.#serveHonestly(socket);
    const { evil, random } = next;
    const challenge = challengeFrame({
      versions: { min: 1, max: 1 },
      server: serverPublicKey,
      nonce: nonceOf(random),
      at: 1,
    });
    const ground = { random, sign, challenge, hello: new Uint8Array() };
    if (evil.stage === "first") return end(socket, [], evil.make(ground));
    const { framed, welcome } = await greeted(socket, challenge);
    const after: EvilGround = { ...ground, hello: framed };
    if (evil.stage === "between") return end(socket, [], evil.make(after));
    if (evil.answer !== undefined) {
      const answered = answerOn(socket, evil.answer.t, evil.hears);
      for (const message of [welcome, ...messagesOf(evil.make(after))]) socket.send(message);
      this.answers.push({ evil, said: await answered });
      return end(socket, [], [], [goodbye]);
    }
    end(socket, evil.stage === "gone" ? [welcome, goodbye] : [welcome], evil.make(after), [goodbye]);
  }

  async #serveHonestly(socket: WebSocket): Promise<void> {
    const nonce = new Uint8Array(32).fill(7);
    const challenge = challengeFrame({ versions: { min: 1, max: 1 }, server: serverPublicKey, nonce, at: 1 });
    this.#honest = socket;
    // A last beat of this connection says nothing about a later attack.
    const calm = this.#calm;
    const { welcome } = await greeted(socket, challenge);
    let facts: SignedFacts | undefined;
    let hasBeaten = false;
    socket.on("message", (data: Buffer) => {
      const frame = readControlFrame(data.toString("utf8"), "agent");
      if (frame?.t === "beat") socket.send(writeControlFrame({ t: "beat-ack", seq: frame.seq }));
      if (frame?.t === "out") socket.send(writeControlFrame({ t: "out-ack", seq: frame.seq }));
      if (frame?.t === "facts") facts = factsOf(frame.signed);
      hasBeaten ||= frame?.t === "beat";
      if (facts !== undefined && hasBeaten) calm.resolve(facts);
    });
    socket.send(welcome);
  }
}

/** Asks, hears the agent's hello, and has the welcome ready that belongs to it. */
async function greeted(socket: WebSocket, challenge: Uint8Array) {
  socket.send(challenge);
  const [data] = (await once(socket, "message")) as [Buffer];
  const read = readSigned(new Uint8Array(data), [64], readAgentHello);
  if (read === undefined) throw new Error("the agent has answered a challenge by no hello");
  const hello = createHash("sha256").update(read.framed).digest();
  const { acked } = read.value.body.cursor;
  const body = { acked, beatSeconds: 1, windowSeconds: 1, head: null, serverTime: Date.now() };
  return { framed: read.framed, welcome: sign(serverHelloFrame(hello, body)) };
}

/** Whatever the agent makes of them, the connection is over behind them. */
function end(
  socket: WebSocket,
  before: readonly Message[],
  evil: readonly Message[] | RawBytes,
  after: readonly Message[] = [],
): void {
  const messages = "raw" in evil ? before : [...before, ...evil, ...after];
  for (const message of messages) socket.send(message);
  if (!("raw" in evil)) return socket.close(1000);
  const { _socket: wire } = socket as unknown as { readonly _socket: Socket };
  wire.end(evil.raw);
}

/** The first frame that refuses what was asked, or tells it. */
function answerOn(
  socket: WebSocket,
  refusal: "state-refused" | "task-refused",
  hears: EvilCase["hears"] = () => [],
): Promise<ControlFrame | undefined> {
  return new Promise((resolve) => {
    socket.on("close", () => resolve(undefined));
    socket.on("message", (data: Buffer) => {
      const frame = readControlFrame(data.toString("utf8"), "agent");
      if (frame?.t === refusal || frame?.t === "state") return resolve(frame);
      for (const message of frame === undefined ? [] : hears(frame)) socket.send(message);
    });
  });
}

function messagesOf(evil: readonly Message[] | RawBytes): readonly Message[] {
  return "raw" in evil ? [] : evil;
}

function nonceOf(random: Random): Uint8Array {
  return Uint8Array.from({ length: 32 }, () => random.below(256));
}

/** Only what the host's own key has signed counts. */
function factsOf(signed: string): SignedFacts | undefined {
  const read = readSigned(decodeBase64url(signed) ?? new Uint8Array(), [64], readFacts);
  if (read === undefined) return undefined;
  const hostKey = loadPublicKey(read.value.hostKey, "the host key");
  return isSignedBy(hostKey, read.framed, read.signatures[0]) ? read.value : undefined;
}
