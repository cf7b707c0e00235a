import { createHash, type KeyObject, randomBytes } from "node:crypto";
import { byteForm } from "@gatehouse/base";
import {
  agentHelloFrame,
  agentSubprotocol,
  ceilingFrame,
  chooseVersion,
  type ControlFrame,
  controlPath,
  encodeBase64url,
  factsFrame,
  type HostFacts,
  protocolVersions,
  readChallenge,
  readControlFrame,
  readServerHello,
  type WelcomeBody,
  writeControlFrame,
} from "@gatehouse/channel";
import { isSignedBy, loadPublicKey, publicKeyBytes, signatureLength, signBytes } from "@gatehouse/keys";
import { isSameBytes, joinSigned, readSigned } from "@gatehouse/keys/frame";
import { stopped } from "./stopped.ts";

/** Whose connection it is. */
export interface ConnectingHost {
  readonly nodeId: string;
  readonly hostname: string;
  readonly agentVersion: string;
  readonly hostKey: KeyObject;
  readonly channelKey: KeyObject;
}

export interface FakeFacts extends Partial<HostFacts> {
  readonly ceiling?: Readonly<Record<string, unknown>>;
  readonly addresses?: readonly string[];
  readonly units?: readonly { readonly name: string; readonly state: string }[];
}

export interface Closing {
  readonly code: number;
  /** The code of a fault, as the server closes with. */
  readonly reason: string;
}

/** An agent's end of a control channel whose hello was good. */
export interface FakeConnection {
  readonly welcome: WelcomeBody;
  /** How it ended; resolves whoever ended it. */
  readonly closed: Promise<Closing>;
  send(frame: ControlFrame): void;
  /** Whatever is given, for tests of what is refused. */
  sendRaw(data: string | Uint8Array<ArrayBuffer>): void;
  /** The next frame of the server. */
  next(): Promise<ControlFrame>;
  /** One beat and its acknowledgement. */
  beat(at?: number): Promise<void>;
  /** Facts signed by the host key, and a beat: when it resolves the server has read them, and keeps them a moment later. */
  sendFacts(facts?: FakeFacts): Promise<void>;
  close(): Promise<void>;
}

/** The server closed the connection instead of going on. */
export class FakeRefusal extends Error {
  readonly closing: Closing;

  constructor(closing: Closing) {
    super(`closed with ${closing.code} ${closing.reason}`);
    this.name = "FakeRefusal";
    this.closing = closing;
  }
}

interface Target {
  readonly baseUrl: string;
  /** The key that the code named. */
  readonly server: Uint8Array;
  readonly host: ConnectingHost;
}

/** Opens the channel and does the hello. */
export async function openFakeConnection({ baseUrl, server, host }: Target): Promise<FakeConnection> {
  const url = new URL(controlPath, baseUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url, agentSubprotocol);
  const inbox = openInbox(socket);
  const challenge = readChallenge(bytesOf(await inbox.next()));
  if (challenge === undefined) throw new Error("the first message is no challenge");
  if (!isSameBytes(challenge.server, server)) throw new Error("another server answers than the one of the code");
  const chosen = chooseVersion(protocolVersions, challenge.versions);
  if (chosen === undefined) throw new Error("there is no version in common");
  const hello = agentHelloFrame({
    versions: challenge.versions,
    chosen,
    path: controlPath,
    authority: url.host,
    server,
    serverNonce: challenge.nonce,
    agentNonce: randomBytes(32),
    nodeId: host.nodeId,
    channelKey: publicKeyBytes(host.channelKey),
    probe: new Uint8Array(),
    body: { agentVersion: host.agentVersion, cursor: { acked: 0, last: 0 }, features: [] },
  });
  socket.send(new Uint8Array(joinSigned(hello, signBytes(host.channelKey, hello))));
  const signed = readSigned(bytesOf(await inbox.next()), [signatureLength], readServerHello);
  const isWelcome =
    signed !== undefined &&
    isSameBytes(signed.value.hello, sha256(hello)) &&
    isSignedBy(loadPublicKey(server, "the server's key"), signed.framed, signed.signatures[0]);
  if (!isWelcome) throw new Error("the second message is no welcome of this server to this hello");

  let beats = 0;
  let told = Date.now();
  const next = async (): Promise<ControlFrame> => {
    const data = await inbox.next();
    if (typeof data !== "string") throw new Error("expected a frame, found bytes");
    return readControlFrame(data, "server") ?? next();
  };
  const send = (frame: ControlFrame) => socket.send(writeControlFrame(frame));
  const beat = async (at = Date.now()) => {
    beats += 1;
    send({ t: "beat", seq: beats, at, values: [] });
    for (let frame = await next(); frame.t !== "beat-ack" || frame.seq !== beats; ) frame = await next();
  };
  return {
    welcome: signed.value.body,
    closed: inbox.closed,
    send,
    sendRaw: (data) => socket.send(data),
    next,
    beat,
    sendFacts: async (facts = {}) => {
      told += 1;
      send(signedFacts(host, facts, told));
      await beat();
    },
    close: async () => {
      socket.close();
      await inbox.closed;
    },
  };
}

function signedFacts(host: ConnectingHost, { ceiling, addresses, units, ...facts }: FakeFacts, number: number) {
  const { nodeId, hostKey, hostname, agentVersion } = host;
  const shown = ceiling ?? { level: facts.mode ?? "monitor" };
  const framed = factsFrame({
    nodeId,
    hostKey: publicKeyBytes(hostKey),
    number,
    at: number,
    ceilingDigest: sha256(ceilingFrame(shown)),
    trustDigest: new Uint8Array(),
    facts: {
      agentSha256: "a".repeat(64),
      agentVersion,
      arch: "x64",
      hostname,
      kernel: "6.12.0",
      mode: "monitor",
      os: "Debian GNU/Linux 13",
      ...facts,
    },
  });
  return {
    t: "facts",
    signed: encodeBase64url(joinSigned(framed, signBytes(hostKey, framed))),
    ceiling: encodeBase64url(byteForm(shown)),
    addresses: [...(addresses ?? ["192.0.2.7"])],
    units: (units ?? []).map((unit) => ({ ...unit })),
  } as const satisfies ControlFrame;
}

/** Keeps what comes until it is asked for. After the end it rejects. */
function openInbox(socket: WebSocket) {
  socket.binaryType = "arraybuffer";
  const kept: (string | ArrayBuffer)[] = [];
  const ended = Promise.withResolvers<Closing>();
  let ending: Closing | undefined;
  let wake = () => {};
  socket.addEventListener("message", ({ data }) => {
    kept.push(data as string | ArrayBuffer);
    wake();
  });
  socket.addEventListener("close", ({ code, reason }) => {
    ending = { code, reason };
    ended.resolve(ending);
    wake();
  });
  const take = async (): Promise<string | ArrayBuffer> => {
    for (;;) {
      const first = kept.shift();
      if (first !== undefined) return first;
      if (ending !== undefined) throw new FakeRefusal(ending);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { closed: ended.promise, next: () => stopped("a message of the server", take()) };
}

function bytesOf(data: string | ArrayBuffer): Uint8Array {
  if (typeof data === "string") throw new Error(`expected bytes, found the text ${data.slice(0, 80)}`);
  return new Uint8Array(data);
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
