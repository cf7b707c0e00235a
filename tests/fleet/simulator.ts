import type { KeyObject } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { addToCount } from "@gatehouse/base";
import { readChallenge } from "@gatehouse/channel";
import { loadPublicKey } from "@gatehouse/keys";
import { Random } from "../support/random.ts";
import { seededHost } from "./seeded-hosts.ts";
import type { SocketEnd } from "./lean-socket.ts";
import type { FleetPlan, FleetReport, Order } from "./orders.ts";
import { type AgentYard, SimulatedAgent } from "./simulated-agent.ts";

/**
 * The thread of the simulated agents: it has an event loop of its own, so that what is measured beside it is the server and not
 * the simulator. One timer beats for all of them.
 */
const tickMs = 20;
const keptWrongs = 20;

function serve(port: NonNullable<typeof parentPort>, plan: FleetPlan): void {
  const yard = new Yard(plan);
  port.on("message", (order: Order) => {
    yard.obey(order);
    if (order.do === "report") port.postMessage(yard.report());
  });
}

class Yard implements AgentYard {
  readonly port: number;
  readonly #agents: readonly SimulatedAgent[];
  readonly #random: Random;
  /** Who beats in which tick of a beat's time. */
  readonly #wheel: readonly SimulatedAgent[][];
  readonly #ends = new Map<string, number>();
  readonly #wrong: string[] = [];
  #welcomedAt: number[] = [];
  #welcomes = 0;
  #beats = 0;
  #lostBeats = 0;
  #isBeating = false;
  #known: { readonly raw: Buffer; readonly key: KeyObject } | undefined;

  constructor({ port, seed, first, count, beatSeconds }: FleetPlan) {
    this.port = port;
    this.#random = new Random(seed, first);
    this.#agents = Array.from({ length: count }, (_, at) => new SimulatedAgent(seededHost(seed, first + at), this));
    this.#wheel = Array.from({ length: Math.round((beatSeconds * 1_000) / tickMs) }, () => []);
    for (const agent of this.#agents) this.#random.pick(this.#wheel).push(agent);
    this.#turn();
  }

  obey(order: Order): void {
    if (order.do === "connect") {
      for (const agent of this.#agents) setTimeout(() => agent.dial(), this.share() * order.withinSeconds * 1_000);
    }
    if (order.do === "beat") this.#isBeating = true;
    if (order.do === "hush") this.#isBeating = false;
    if (order.do === "mark") this.#welcomedAt = [];
    if (order.do === "leave") for (const agent of this.#agents) agent.leave();
  }

  report(): FleetReport {
    return {
      online: this.#agents.filter(({ isOnline }) => isOnline).length,
      welcomes: this.#welcomes,
      beats: this.#beats,
      unacknowledged: this.#agents.reduce((sum, agent) => sum + agent.unacknowledged, 0),
      lostBeats: this.#lostBeats,
      ends: Object.fromEntries(this.#ends),
      wrong: this.#wrong,
      welcomedAt: this.#welcomedAt,
    };
  }

  share(): number {
    return this.#random.next();
  }

  serverKey(challenge: Uint8Array): KeyObject {
    const raw = Buffer.from(readChallenge(challenge)?.server ?? []);
    this.#known ??= { raw, key: loadPublicKey(raw, "the server's key") };
    if (!this.#known.raw.equals(raw)) throw new Error("the server has another key than before");
    return this.#known.key;
  }

  welcomed(): void {
    this.#welcomes += 1;
    this.#welcomedAt.push(Date.now());
  }

  lost(_: SimulatedAgent, { status, code, reason }: SocketEnd, unacknowledged: number): void {
    addToCount(this.#ends, [status ?? code, reason].join(" ").trim(), 1);
    this.#lostBeats += unacknowledged;
  }

  wrong(agent: SimulatedAgent, what: string): void {
    if (this.#wrong.length < keptWrongs) this.#wrong.push(`${agent.host.hostname}: ${what}`);
  }

  /** Catches up with the ticks that a busy machine has left out: no beat is skipped, only late. */
  #turn(): void {
    const began = performance.now();
    let done = 0;
    setInterval(() => {
      const due = Math.floor((performance.now() - began) / tickMs);
      for (; done < due; done += 1) {
        if (!this.#isBeating) continue;
        const now = Date.now();
        for (const agent of this.#wheel[done % this.#wheel.length] ?? []) if (agent.beat(now)) this.#beats += 1;
      }
    }, tickMs);
  }
}

if (parentPort !== null) serve(parentPort, workerData as FleetPlan);
