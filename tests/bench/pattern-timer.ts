import { Worker } from "node:worker_threads";
import { Chance } from "../security/support/chance.ts";
import { type Attack, attacksOn } from "../security/support/pattern-attacks.ts";
import type { TimingReply, TimingTask } from "./pattern-worker.ts";

export interface PatternVerdict {
  readonly attacks: number;
  readonly slowestMs: number;
  /** The text that takes too long, when there is one. */
  readonly slow?: { readonly attack: Attack; readonly length: number; readonly ms: number };
}

const hangMs = 2_000;
/**
 * Growing, so that an exponential or quadratic pattern is caught while it can still be measured. A pattern that reads its
 * text once needs microseconds for the short ones; the last length is the one that counts.
 */
const steps = [
  ...[10, 14, 18, 22, 26, 200].map((length) => ({ length, capMs: 5 })),
  { length: 1_000, capMs: 10 },
  { length: 8_000, capMs: 10 },
  { length: 65_536, capMs: 50 },
];

/** Times patterns one after the other; a thread that hangs is ended and another one goes on. */
export class PatternTimer implements AsyncDisposable {
  #worker: Worker | undefined;
  #onReply: (reply: TimingReply) => void = () => undefined;

  async time(source: string, flags: string, most: number): Promise<PatternVerdict> {
    const chance = new Chance(source);
    const attacks = chance.sample(attacksOn(source, flags, chance), most);
    let slowestMs = 0;
    for (const { length, capMs } of steps) {
      const reply = await this.#ask({ source, flags, attacks, length, capMs });
      if (reply === "hangs") {
        const [attack = { prefix: "", pump: "", suffix: "" }] = attacks;
        return { attacks: attacks.length, slowestMs: hangMs, slow: { attack, length, ms: hangMs } };
      }
      if ("slow" in reply)
        return { attacks: attacks.length, slowestMs: reply.ms, slow: { attack: reply.slow, length, ms: reply.ms } };
      slowestMs = Math.max(slowestMs, reply.slowest);
    }
    return { attacks: attacks.length * steps.length, slowestMs };
  }

  #ask(task: TimingTask): Promise<TimingReply | "hangs"> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((done) => {
      // Most texts take microseconds; a thread that has not finished by then is stuck in one of them.
      const timer = setTimeout(
        () => {
          this.#worker = undefined;
          void worker.terminate();
          done("hangs");
        },
        hangMs + task.attacks.length * 2,
      );
      this.#onReply = (reply) => {
        clearTimeout(timer);
        done(reply);
      };
      worker.postMessage(task);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./pattern-worker.ts", import.meta.url), { execArgv: [] });
    worker.on("message", (reply: TimingReply) => this.#onReply(reply));
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }
}
