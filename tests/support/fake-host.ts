import { createHash, type KeyObject } from "node:crypto";
import {
  type AgentHello,
  agentSubprotocol,
  type ControlFrame,
  controlPath,
  enrolPath,
  type HostFacts,
  parseEnrolCode,
  readControlFrame,
  readServerHello,
  type WelcomeBody,
  writeControlFrame,
} from "@gatehouse/channel";
import { isSignedBy, loadPublicKey, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { PretendHost } from "./pretend-host.ts";
import { stopped } from "./stopped.ts";

/** A pretended host over a real network: what it says goes to a server that listens. */
export interface FakeHost {
  readonly nodeId: string;
  /** Both private. */
  readonly hostKey: KeyObject;
  readonly channelKey: KeyObject;
  /** What the server called it. */
  readonly name: string | undefined;
  readonly tags: readonly string[];
  /** Resolves when the server has said welcome; rejects with a `FakeRefusal` when it closes instead. */
  readonly hello: (changed?: Partial<AgentHello>) => Promise<FakeConnection>;
}

export interface FakeConnection {
  readonly welcome: WelcomeBody;
  /** How it ended, whoever ended it. */
  readonly closed: Promise<Closing>;
  send(frame: ControlFrame): void;
  /** The next frame of the server. */
  next(): Promise<ControlFrame>;
  /** One beat and its acknowledgement. */
  beat(at?: number): Promise<void>;
  /** Beats from now on as often as the server wants: a host that is to stay stays, however slow the machine is. */
  keepBeating(): void;
  /** Facts and a beat behind them: when it resolves the server has read them, and keeps them a moment later. */
  sendFacts(said?: Partial<HostFacts>, ceiling?: object): Promise<void>;
  close(): Promise<void>;
}

export interface Closing {
  readonly code: number;
  /** The code of a fault. */
  readonly reason: string;
}

/** The server refused the enrolment, as its problem document says. */
export class EnrolRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.name = "EnrolRefusal";
    this.status = status;
    this.code = code;
  }
}

/** The server closed the connection. */
export class FakeRefusal extends Error {
  readonly closing: Closing;

  constructor(closing: Closing) {
    super(`closed with ${closing.code} ${closing.reason}`);
    this.name = "FakeRefusal";
    this.closing = closing;
  }
}

/** Enrols a host with a code of the server at `baseUrl`; what the code says of the address is not used. `host` comes again. */
export async function enrolFakeHost(
  baseUrl: string,
  code: string,
  { hostname, host = new PretendHost(hostname) }: { readonly hostname?: string; readonly host?: PretendHost } = {},
): Promise<FakeHost> {
  const sent = host.enrolment(code);
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(sent);
  const response = await fetch(new URL(enrolPath, baseUrl), { method: "POST", headers, body });
  const answer = (await response.json()) as { readonly message: string; readonly code: string };
  if (response.status !== 200) throw new EnrolRefusal(response.status, answer.code);
  const read = host.readAnswer(code, sent, answer);
  if (read?.nodeId !== host.nodeId) throw new Error("the answer is not the server's to this enrolment");
  const { nodeId, hostKey, channelKey } = host;
  const { name, tags = [] } = read.body;
  const { server } = parseEnrolCode(sha256, code);
  return { nodeId, hostKey, channelKey, name, tags, hello: (changed) => helloOf(baseUrl, server, host, changed) };
}

/** The hello of a host that the server knows already; `server` is the server's public key. */
export async function helloOf(
  baseUrl: string,
  server: Uint8Array,
  host: PretendHost,
  changed: Partial<AgentHello> = {},
): Promise<FakeConnection> {
  const url = new URL(controlPath, baseUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url, agentSubprotocol);
  const inbox = openInbox(socket);
  socket.send(new Uint8Array(host.hello(bytesOf(await inbox.next()), { authority: url.host, ...changed })));
  const signed = readSigned(bytesOf(await inbox.next()), [signatureLength], readServerHello);
  if (!signed || !isSignedBy(loadPublicKey(server, "the server's key"), signed.framed, signed.signatures[0])) {
    throw new Error("the second message is no welcome of this server");
  }
  let beats = 0;
  const send = (frame: ControlFrame) => socket.send(writeControlFrame(frame));
  /** Whose acknowledgements nobody waits for. */
  const byItself = new Set<number>();
  const next = async (): Promise<ControlFrame> => {
    const data = await inbox.next();
    if (typeof data !== "string") throw new Error("expected a frame, found bytes");
    const frame = readControlFrame(data, "server");
    return frame === undefined || (frame.t === "beat-ack" && byItself.delete(frame.seq)) ? next() : frame;
  };
  const sendBeat = (at: number): number => {
    beats += 1;
    send({ t: "beat", seq: beats, at, values: [] });
    return beats;
  };
  const beat = async (at = Date.now()) => {
    const seq = sendBeat(at);
    for (let frame = await next(); frame.t !== "beat-ack" || frame.seq !== seq; ) frame = await next();
  };
  return {
    welcome: signed.value.body,
    closed: inbox.closed,
    send,
    next,
    beat,
    keepBeating: () => {
      const beating = setInterval(() => byItself.add(sendBeat(Date.now())), signed.value.body.beatSeconds * 1_000);
      void inbox.closed.then(() => clearInterval(beating));
    },
    sendFacts: async (said, ceiling) => {
      send(host.facts(said, ceiling));
      await beat();
    },
    close: async () => {
      socket.close();
      await inbox.closed;
    },
  };
}

type Data = string | ArrayBuffer;

/** Keeps what comes until it is asked for; after the end it rejects. */
function openInbox(socket: WebSocket) {
  socket.binaryType = "arraybuffer";
  const kept: Data[] = [];
  const ended = Promise.withResolvers<Closing>();
  let ending: Closing | undefined;
  let wake = () => {};
  socket.addEventListener("message", ({ data }) => {
    kept.push(data as Data);
    wake();
  });
  socket.addEventListener("close", ({ code, reason }) => {
    ending = { code, reason };
    ended.resolve(ending);
    wake();
  });
  const take = async (): Promise<Data> => {
    for (;;) {
      const first = kept.shift();
      if (first !== undefined) return first;
      if (ending !== undefined) throw new FakeRefusal(ending);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { closed: ended.promise, next: () => stopped("a message of the server", take()) };
}

function bytesOf(data: Data): Uint8Array {
  if (typeof data === "string") throw new Error(`expected bytes, found the text ${data.slice(0, 80)}`);
  return new Uint8Array(data);
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
