import { Agent, get } from "node:http";

const perSecond = 50;

/** Somebody who uses the API beside the agents: so many requests a second, each timed from the moment at which it was due. */
export class ApiProbe {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #agent: Agent;
  #times: number[] = [];
  #failed = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Beyond so many connections its requests wait for each other: a server that stands still has no room for all of them. */
  constructor(url: string, headers: Record<string, string> = {}, mostConnections = Number.POSITIVE_INFINITY) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: mostConnections });
    this.#url = url;
    this.#headers = headers;
  }

  start(): void {
    const began = performance.now();
    let asked = 0;
    this.#times = [];
    this.#failed = 0;
    const ask = () => {
      for (; began + (asked * 1_000) / perSecond <= performance.now(); asked += 1) {
        this.#ask(began + (asked * 1_000) / perSecond);
      }
      this.#timer = setTimeout(ask, Math.max(1, began + (asked * 1_000) / perSecond - performance.now()));
    };
    ask();
  }

  /** What was found since the start, in milliseconds. */
  stop(): { readonly times: readonly number[]; readonly failed: number } {
    clearTimeout(this.#timer);
    return { times: this.#times, failed: this.#failed };
  }

  close(): void {
    this.stop();
    this.#agent.destroy();
  }

  #ask(due: number): void {
    const times = this.#times;
    const request = get(this.#url, { agent: this.#agent, headers: this.#headers }, (answer) => {
      answer.resume();
      answer.once("end", () => {
        if (answer.statusCode === 200) times.push(performance.now() - due);
        else this.#failed += 1;
      });
    });
    request.once("error", () => {
      this.#failed += 1;
    });
  }
}
