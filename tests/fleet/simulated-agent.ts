import { createHash, type KeyObject } from "node:crypto";
import {
  type ControlFrame,
  readControlFrame,
  readServerHello,
  type WelcomeBody,
  writeControlFrame,
} from "@gatehouse/channel";
import { isSignedBy, signatureLength } from "@gatehouse/keys";
import { readSigned, splitSigned } from "@gatehouse/keys/frame";
import type { PretendHost } from "../support/pretend-host.ts";
import { LeanSocket, type SocketEnd, type SocketUser } from "./lean-socket.ts";
import { pauseBeforeRetry } from "./pause-before-retry.ts";

/** What a simulated agent needs of whoever runs all of them. */
export interface AgentYard {
  readonly port: number;
  /** The server's key as the first challenge named it: another one is another server. */
  serverKey(challenge: Uint8Array): KeyObject;
  share(): number;
  welcomed(agent: SimulatedAgent): void;
  lost(agent: SimulatedAgent, end: SocketEnd, unacknowledged: number): void;
  /** Something that no server may do. */
  wrong(agent: SimulatedAgent, what: string): void;
}

type Stage = "away" | "dialling" | "asked" | "online";

/** One agent of many: it speaks the real protocol, comes back by the protocol's own rule, and keeps next to nothing. */
export class SimulatedAgent implements SocketUser {
  readonly host: PretendHost;
  readonly #yard: AgentYard;
  #socket: LeanSocket | undefined;
  #stage: Stage = "away";
  #sent = 0;
  #acked = 0;
  #attempt = 0;
  #windowSeconds = 1;
  #helloDigest = "";
  #key: KeyObject | undefined;
  #hasLeft = false;

  constructor(host: PretendHost, yard: AgentYard) {
    this.host = host;
    this.#yard = yard;
  }

  get isOnline(): boolean {
    return this.#stage === "online";
  }

  /** Beats of this connection that nobody has acknowledged yet. */
  get unacknowledged(): number {
    return this.#sent - this.#acked;
  }

  dial(): void {
    if (this.#hasLeft) return;
    this.#stage = "dialling";
    this.#attempt += 1;
    this.#socket = new LeanSocket(this.#yard.port, this);
  }

  beat(now: number): boolean {
    if (this.#stage !== "online") return false;
    this.#sent += 1;
    // As an agent does: a minute, and the beat behind it.
    if (this.#sent % beatsPerMinute === 1) {
      this.send({ t: "~minutes", at: now, minutes: [{ at: now - (now % 60_000), values: sampleValues }] });
    }
    this.send({ t: "beat", seq: this.#sent, at: now, values: [] });
    return true;
  }

  leave(): void {
    this.#hasLeft = true;
    this.#socket?.close();
  }

  heard(data: string | Buffer): void {
    if (this.#stage === "dialling" && typeof data !== "string") this.#answer(data);
    else if (this.#stage === "asked" && typeof data !== "string") this.#enter(data);
    else if (this.#stage === "online" && typeof data === "string") this.#takeFrame(data);
    else if (this.#stage === "online" && typeof data !== "string" && this.takeMore(data)) return;
    else this.#yard.wrong(this, `a message that does not belong while ${this.#stage}`);
  }

  ended(end: SocketEnd): void {
    const unacknowledged = this.unacknowledged;
    if (this.#stage === "online") this.#attempt = 0;
    this.#stage = "away";
    this.#socket = undefined;
    [this.#sent, this.#acked] = [0, 0];
    this.#yard.lost(this, end, unacknowledged);
    if (this.#hasLeft) return;
    const retry = { attempt: this.#attempt + 1, windowSeconds: this.#windowSeconds, retryAfter: end.retryAfter };
    setTimeout(() => this.dial(), pauseBeforeRetry(retry, this.#yard.share()));
  }

  protected send(frame: ControlFrame): void {
    this.#socket?.send(writeControlFrame(frame));
  }

  protected hello(challenge: Uint8Array): Uint8Array {
    return this.host.hello(challenge);
  }

  /** After a welcome, and what the agent says of itself. */
  protected begin(): void {
    // One that only beats has nothing more to say.
  }

  /** What came besides acknowledgements; false where it does not belong, as all of it to one that only beats. */
  protected takeMore(_came: ControlFrame | Uint8Array): boolean {
    return false;
  }

  #answer(challenge: Buffer): void {
    this.#key = this.#yard.serverKey(challenge);
    const hello = this.hello(challenge);
    const framed = splitSigned(hello, [signatureLength])?.framed ?? new Uint8Array();
    this.#helloDigest = createHash("sha256").update(framed).digest("base64");
    this.#stage = "asked";
    this.#socket?.send(hello);
  }

  #enter(message: Buffer): void {
    const welcome = readSigned(message, [signatureLength], readServerHello);
    const isGood =
      welcome !== undefined &&
      this.#key !== undefined &&
      Buffer.from(welcome.value.hello).toString("base64") === this.#helloDigest &&
      isSignedBy(this.#key, welcome.framed, welcome.signatures[0]);
    if (!isGood) return this.#yard.wrong(this, "a welcome that the server did not sign for this hello");
    this.#open(welcome.value.body);
  }

  #open({ windowSeconds }: WelcomeBody): void {
    this.#windowSeconds = windowSeconds;
    this.#key = undefined;
    this.#helloDigest = "";
    this.#attempt = 0;
    this.#stage = "online";
    // As an agent does: after every welcome it says what it is. What has not changed must change nothing.
    this.send(this.host.facts());
    this.begin();
    this.#yard.welcomed(this);
  }

  #takeFrame(text: string): void {
    const came = readControlFrame(text, "server");
    if (came?.t === "bye" || came === undefined) return;
    if (this.takeMore(came)) return;
    if (came.t !== "beat-ack" || came.seq !== this.#acked + 1) {
      return this.#yard.wrong(this, `expected the acknowledgement of beat ${this.#acked + 1}, found ${text}`);
    }
    this.#acked += 1;
  }
}

/** As many as a metric frame carries. */
const sampleValues = [12.5, 0.4, 33.1, 17_179_869_184, 51.2, 80_000_000_000, 120_000, 88_000, 86_400, 8];
const beatsPerMinute = 6;
