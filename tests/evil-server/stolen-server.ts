import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import {
  agentSubprotocol,
  challengeFrame,
  type ControlFrame,
  controlPath,
  decodeBase64url,
  type FrameOf,
  readAgentHello,
  readControlFrame,
  readFacts,
  serverHelloFrame,
  type SignedFacts,
  writeControlFrame,
  writePiece,
} from "@gatehouse/channel";
import { importPrivateKey, isSignedBy, loadPublicKey, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned, readSigned } from "@gatehouse/keys/frame";
import { type WebSocket, WebSocketServer } from "ws";
import type { Random } from "../support/random.ts";
import { announceTask, type MadeTask } from "../support/signed-task.ts";
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

const usualChallenge = {
  versions: { min: 1, max: 1 },
  server: serverPublicKey,
  nonce: new Uint8Array(32).fill(7),
  at: 1,
};

/** Where a server stands that has a certificate, and whom it shows; files in PEM. */
export interface TlsPlace {
  readonly name: string;
  readonly address: string;
  readonly certificate: string;
  readonly key: string;
}

/** What is said to a request that is no connection. */
export type AnswerRequest = (body: string) => { readonly status: number; readonly body: string };

/**
 * `silent`: opens every connection and says nothing. `stalling`: nothing behind its challenge. `elsewhere`: sends everybody to another
 * host.
 */
export type Manner = "usual" | "silent" | "stalling" | "elsewhere";

const nothingThere: AnswerRequest = () => ({ status: 404, body: "" });

/** The server that the host is enrolled with, key and all, in other hands. Every connection gets one case; without any left it is honest. */
export class StolenServer {
  readonly publicKey = serverPublicKey;
  /** What each connection was for, in their order; undefined for an honest one. */
  readonly served: (EvilCase | undefined)[] = [];
  /** What was answered to cases that wait for an answer; undefined when the connection ended before. */
  readonly answers: { readonly evil: EvilCase; readonly said: ControlFrame | undefined }[] = [];
  /** How an enrolment is answered. */
  answerRequest: AnswerRequest = nothingThere;
  /** A change that the next honest connection brings, with all its parts. */
  carried: MadeTask | undefined;
  /** What it does to whoever connects, in place of a hello. */
  manner: Manner = "usual";
  readonly #http: Server | TlsServer;
  readonly #place: TlsPlace | undefined;
  readonly #sockets: WebSocketServer;
  #queue: LoadedCase[] = [];
  #calm = Promise.withResolvers<SignedFacts>();
  #honest: WebSocket | undefined;

  /** With a place it has a certificate, and a machine of its own; otherwise it is on this one. */
  constructor(place?: TlsPlace) {
    this.#place = place;
    const answer = (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response);
    this.#http = place === undefined ? createServer(answer) : createTlsServer(pairOf(place), answer);
    this.#sockets = new WebSocketServer({
      server: this.#http,
      path: controlPath,
      perMessageDeflate: false,
      handleProtocols: () => agentSubprotocol,
      verifyClient: (_, answer) => {
        if (this.manner === "elsewhere") answer(false, 307, "", { location: "https://127.0.0.1:9/" });
        else answer(true);
      },
    });
    this.#sockets.on("connection", (socket) => void this.#serve(socket));
  }

  async listen(): Promise<string> {
    this.#http.listen(0, this.#place?.address ?? "127.0.0.1");
    await once(this.#http, "listening");
    const { port } = this.#http.address() as AddressInfo;
    return this.#place === undefined ? `http://127.0.0.1:${port}` : `https://${this.#place.name}:${port}`;
  }

  /** Shows another certificate from now on. */
  show(pair: Pick<TlsPlace, "certificate" | "key">): void {
    if (this.#http instanceof TlsServer) this.#http.setSecureContext(pairOf(pair));
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

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      if (this.manner === "elsewhere") return response.writeHead(307, { location: "https://127.0.0.1:9/" }).end();
      const answer = request.method === "POST" ? this.answerRequest : nothingThere;
      const { status, body } = answer(Buffer.concat(parts).toString("utf8"));
      return response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
  }

  async #serve(socket: WebSocket): Promise<void> {
    // A peer that goes in the middle of what it was sent is no news.
    socket.on("error", () => socket.terminate());
    const next = this.#queue.shift();
    this.served.push(next?.evil);
    if (this.manner === "silent") return;
    if (this.manner === "stalling") return socket.send(challengeFrame(usualChallenge));
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
    const challenge = challengeFrame(usualChallenge);
    this.#honest = socket;
    // A last beat of this connection says nothing about a later attack.
    const calm = this.#calm;
    const { welcome } = await greeted(socket, challenge);
    let facts: SignedFacts | undefined;
    let hasBeaten = false;
    let pieceFor: (pull: FrameOf<"pull">) => Message = ({ request }) =>
      writeControlFrame({ t: "pull-end", request, reason: "blob.not_wanted" });
    socket.on("message", (data: Buffer) => {
      const frame = readControlFrame(data.toString("utf8"), "agent");
      if (frame?.t === "beat") socket.send(writeControlFrame({ t: "beat-ack", seq: frame.seq }));
      if (frame?.t === "out") socket.send(writeControlFrame({ t: "out-ack", seq: frame.seq }));
      if (frame?.t === "facts") facts = factsOf(frame.signed);
      if (frame?.t === "pull") socket.send(pieceFor(frame));
      hasBeaten ||= frame?.t === "beat";
      if (facts !== undefined && hasBeaten) calm.resolve(facts);
    });
    socket.send(welcome);
    const { carried } = this;
    if (carried === undefined) return;
    const { fields, blobs } = announceTask(carried);
    pieceFor = ({ request, sha256, offset, length }) => {
      const bytes = blobs.get(sha256)?.subarray(offset, offset + length) ?? new Uint8Array();
      return writePiece({ request, offset, bytes });
    };
    this.carried = undefined;
    socket.send(writeControlFrame({ t: "task", ...fields }));
  }
}

function pairOf({ certificate, key }: Pick<TlsPlace, "certificate" | "key">) {
  return { cert: readFileSync(certificate), key: readFileSync(key) };
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
