import { setTimeout as delay } from "node:timers/promises";
import { writeControlFrame } from "@gatehouse/channel";
import { stopped } from "../support/stopped.ts";
import { HeardSocket } from "./heard-socket.ts";
import { type HostileCase, type HostileGround, pickCase } from "./hostile-case.ts";
import { hostileFrames } from "./hostile-frames.ts";
import { hostileHellos } from "./hostile-hellos.ts";
import { wireCases } from "./hostile-wire.ts";
import type { SocketEnd } from "./lean-socket.ts";

/** Where a case begins: with a connection that has not said its hello, or with one that has. */
export interface PlannedCase {
  readonly stage: "hello" | "open";
  readonly hostile: HostileCase;
}

const helloCases = [...hostileHellos, ...wireCases];
const openCases = [...hostileFrames, ...wireCases];

/** One in twelve comes instead of a hello: each of those takes a connection of its own. */
export function drawCase(random: HostileGround["random"]): PlannedCase {
  const stage = random.chance(0.08) ? "hello" : "open";
  return { stage, hostile: pickCase(stage === "hello" ? helloCases : openCases, random) };
}

export interface LaneRules {
  readonly port: number;
  /** Where it comes from: whoever shares an address shares how often it may knock. */
  readonly from: string;
}

interface Open {
  readonly socket: HeardSocket;
  readonly challenge: Uint8Array;
}

/** One hostile agent: it uses a connection until that is closed, and comes again with its own good key. */
export class HostileLane {
  readonly #rules: LaneRules;
  #open: Open | undefined;
  #beats = 0;

  constructor(rules: LaneRules) {
    this.#rules = rules;
  }

  /** How the connection ended for it, `left` when nobody waited for that, undefined when it goes on. */
  async commit({ stage, hostile }: PlannedCase, ground: HostileGround): Promise<SocketEnd | "left" | undefined> {
    const { socket, challenge } = stage === "hello" ? await this.#dial() : await this.#opened(ground);
    socket.sendRaw(hostile.bytes(ground, challenge));
    if (hostile.leaves === true) {
      if (stage === "open") this.leave();
      socket.cut();
      return "left";
    }
    if (stage === "hello") return endOf(socket);
    const end = hostile.ends ? await endAfterAll(socket) : await this.#endOrAnswer(socket);
    if (end !== undefined) this.#open = undefined;
    return end;
  }

  leave(): void {
    this.#open?.socket.cut();
    this.#open = undefined;
  }

  async #dial(): Promise<Open> {
    for (;;) {
      const socket = new HeardSocket(this.#rules.port, this.#rules.from);
      const first = await socket.next();
      if ("data" in first && typeof first.data !== "string") return { socket, challenge: first.data };
      // No place at this moment: as an agent would, it comes again.
      await delay(20);
    }
  }

  async #opened({ host }: HostileGround): Promise<Open> {
    if (this.#open !== undefined) return this.#open;
    const dialled = await this.#dial();
    dialled.socket.send(host.hello(dialled.challenge));
    const welcome = await dialled.socket.next();
    if ("end" in welcome) throw new Error(`a good hello was refused: ${welcome.end.code} ${welcome.end.reason}`);
    this.#open = dialled;
    return dialled;
  }

  /** A good beat behind it is answered, or the connection ends. */
  async #endOrAnswer(socket: HeardSocket): Promise<SocketEnd | undefined> {
    this.#beats += 1;
    const seq = 2 ** 40 + this.#beats;
    socket.send(writeControlFrame({ t: "beat", seq, at: Date.now(), values: [] }));
    for (;;) {
      const next = await socket.next();
      if ("end" in next) return next.end;
      if (next.data === `{"t":"beat-ack","seq":${seq}}`) return undefined;
    }
  }
}

/** Before the welcome nothing but the end may come. */
async function endOf(socket: HeardSocket): Promise<SocketEnd | undefined> {
  const next = await socket.next();
  if ("end" in next) return next.end;
  socket.cut();
  return undefined;
}

/** Some are judged later than the beats that came behind them: only the end is an answer. */
async function endAfterAll(socket: HeardSocket): Promise<SocketEnd | undefined> {
  const waits = async () => {
    for (;;) {
      const next = await socket.next();
      if ("end" in next) return next.end;
    }
  };
  return stopped("the end of a connection", waits()).catch(() => undefined);
}
