import type { KeyObject } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { addToCount } from "@gatehouse/base";
import { readChallenge } from "@gatehouse/channel";
import { loadPublicKey } from "@gatehouse/keys";
import type { SocketEnd } from "../fleet/lean-socket.ts";
import { seededHost } from "../fleet/seeded-hosts.ts";
import type { SimulatedAgent } from "../fleet/simulated-agent.ts";
import { Random } from "../support/random.ts";
import { endOfHost, type YardOrder, type YardPlan, type YardReport } from "./changes.ts";
import { ChangingAgent, type ChangingYard } from "./changing-agent.ts";

const keptWrongs = 20;

/** The thread of the hosts: what is measured beside it is the server. */
class Yard implements ChangingYard {
  readonly port: number;
  readonly #agents: readonly ChangingAgent[];
  readonly #random: Random;
  readonly #ends = new Map<string, number>();
  readonly #wrong: string[] = [];
  #done = 0;
  #known: { readonly raw: Buffer; readonly key: KeyObject } | undefined;

  constructor({ port, seed, count, beatSeconds }: YardPlan) {
    this.port = port;
    this.#random = new Random(seed, count);
    this.#agents = Array.from(
      { length: count },
      (_, number) => new ChangingAgent(seededHost(seed, number), this, endOfHost(seed, number)),
    );
    let tick = 0;
    setInterval(() => {
      tick += 1;
      const now = Date.now();
      for (const [at, agent] of this.#agents.entries()) if ((at + tick) % beatSeconds === 0) agent.beat(now);
    }, 1_000);
  }

  obey(order: YardOrder): void {
    if (order.do === "connect") {
      for (const agent of this.#agents) setTimeout(() => agent.dial(), this.share() * order.withinSeconds * 1_000);
    }
    if (order.do === "report") parentPort?.postMessage(this.#report());
    if (order.do === "changes") parentPort?.postMessage(this.#agents.map(({ change }) => change));
    if (order.do === "leave") for (const agent of this.#agents) agent.leave();
  }

  next(): number {
    this.#done += 1;
    return this.#done;
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
    // Counted where it is asked for.
  }

  lost(_: SimulatedAgent, { status, code, reason }: SocketEnd): void {
    addToCount(this.#ends, [status ?? code, reason].join(" ").trim(), 1);
  }

  wrong({ host }: SimulatedAgent, what: string): void {
    if (this.#wrong.length < keptWrongs) this.#wrong.push(`${host.hostname}: ${what}`);
  }

  #report(): YardReport {
    return {
      online: this.#agents.filter(({ isOnline }) => isOnline).length,
      kept: this.#agents.filter(({ isKept }) => isKept).length,
      ends: Object.fromEntries(this.#ends),
      wrong: this.#wrong,
    };
  }
}

const yard = new Yard(workerData as YardPlan);
parentPort?.on("message", (order: YardOrder) => yard.obey(order));
