import type { FrameOf } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import type { RequestFacts } from "../../platform/route/index.ts";
import { allowances, FrameBudget } from "./frame-budget.ts";

/** Where signed heads come from, and who hears what hosts say of them. */
export interface WitnessDesk {
  newest(): string | undefined;
  /** Undefined before there is any head. */
  page(from: number): Promise<FrameOf<"heads"> | undefined>;
  onHead(listener: (signed: string) => void): () => void;
  told(nodeId: string, word: Pick<FrameOf<"~witness">, "held" | "code">, request: RequestFacts): Promise<void>;
  left(nodeId: string): void;
}

export interface WitnessEndDeps {
  readonly nodeId: string;
  readonly desk: WitnessDesk;
  readonly send: (frame: FrameOf<"head"> | FrameOf<"heads">) => void;
  readonly monotonic: () => number;
  readonly now: () => RequestFacts;
  readonly isOpen: () => boolean;
}

/** The server's end of a host that keeps heads of the log, over one connection. */
export class WitnessEnd {
  readonly #deps: WitnessEndDeps;
  readonly #stop: () => void;
  readonly #words = new FrameBudget(allowances.witness);
  readonly #pages = new FrameBudget(allowances.headPages);
  #isAnswering = false;

  constructor(deps: WitnessEndDeps) {
    this.#deps = deps;
    const tell = (signed: string) => deps.send({ t: "head", signed });
    this.#stop = deps.desk.onHead(tell);
    const newest = deps.desk.newest();
    if (newest !== undefined) tell(newest);
  }

  take(sent: FrameOf<"~witness"> | FrameOf<"want-heads">): Promise<void> {
    const { nodeId, desk, monotonic, now } = this.#deps;
    if (sent.t === "want-heads") return this.#answer(sent.from);
    this.#words.use(monotonic());
    return desk.told(nodeId, sent, now());
  }

  /** `isGone`: the host has no other connection, and what it said is not known any more. */
  end(isGone: boolean): void {
    this.#stop();
    if (isGone) this.#deps.desk.left(this.#deps.nodeId);
  }

  /** One page at a time. */
  async #answer(from: number): Promise<void> {
    const { desk, monotonic, send, isOpen } = this.#deps;
    this.#pages.use(monotonic());
    if (this.#isAnswering) throw fault("frame.rate", "heads were wanted before the last ones were sent");
    this.#isAnswering = true;
    const page = await desk.page(from);
    this.#isAnswering = false;
    if (page !== undefined && isOpen()) send(page);
  }
}
