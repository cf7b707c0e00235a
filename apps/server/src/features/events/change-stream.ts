import { Fault } from "@gatehouse/base";
import type { ChangeEvent } from "@gatehouse/contract/routes";
import type { AuditRecord } from "@gatehouse/store";
import type { Sink } from "../../platform/route/index.ts";
import { changesContributions } from "./audience.ts";
import type { Changes } from "./changes.ts";
import { eventLimits } from "./limits.ts";

export interface ChangeStreamDeps {
  readonly changes: Changes;
  readonly sink: Sink;
  readonly mayHear: (record: AuditRecord) => boolean;
  /** What a reader who is behind waits between two full pages, so that nobody's catching up takes the server's time. */
  readonly rest: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * One reader's way through the changes. It holds a position and pulls: what is written is always the next page after it,
 * so there is no gap and no repeat, whether the page comes from long ago or from this moment.
 */
export class ChangeStream {
  readonly #deps: ChangeStreamDeps;
  #position: number;
  #isPulling = false;
  #isAskedAgain = false;
  #isWaiting = false;
  #stalledBeats = 0;
  #isEnded = false;
  /** Told since the last beat that changes cannot be told. */
  #isToldOfDamage = false;

  constructor(deps: ChangeStreamDeps, position: number) {
    this.#deps = deps;
    this.#position = position;
  }

  /** `retry` spreads the readers of a server that stops; the first ping's id makes even the first reconnection resume here. */
  begin(retryMs: number): void {
    this.#deps.sink.write(`retry: ${retryMs}\n${pingText(this.#position)}`);
    this.pull();
  }

  /** Tells the reader that changes were left out and that it should read everything again. */
  reset(): void {
    const data = JSON.stringify({ position: this.#position });
    this.#deps.sink.write(`event: reset\nid: ${this.#position}\ndata: ${data}\n\n`);
  }

  pull(): void {
    if (this.#isPulling) this.#isAskedAgain = true;
    else if (!this.#isWaiting && !this.#isEnded) void this.#pullAll();
  }

  /**
   * Keeps the connection alive, moves the reader's id past what it may not hear, and looks for lost hints. An event with a
   * name, because a browser shows its page no comment: without one the page could not tell a quiet server from a lost one.
   */
  beat(): void {
    const { sink } = this.#deps;
    if (this.#isWaiting) {
      this.#stalledBeats += 1;
      if (this.#stalledBeats >= eventLimits.stalledBeats) sink.cut();
      return;
    }
    this.#isToldOfDamage = false;
    sink.write(pingText(this.#position));
    this.pull();
  }

  /** What is no change and has no place in the log: told to whoever keeps up, and to nobody later. */
  note(text: string): void {
    if (!this.#isEnded && !this.#isWaiting) this.#deps.sink.write(text);
  }

  end(): void {
    this.#isEnded = true;
  }

  async #pullAll(): Promise<void> {
    this.#isPulling = true;
    try {
      do {
        this.#isAskedAgain = false;
        while (!this.#isEnded && this.#hasRoom() && (await this.#writeNextPage()));
      } while (this.#isAskedAgain && !this.#isWaiting);
    } catch (error) {
      if (error instanceof Fault && error.kind === "damaged") this.#tellOfDamage(error);
      else {
        this.#deps.onError(error);
        this.#deps.sink.cut();
      }
    } finally {
      this.#isPulling = false;
    }
  }

  /** Changes in a damaged log cannot be told one by one: the reader is to read everything again, once a beat. */
  #tellOfDamage(error: Fault): void {
    if (this.#isToldOfDamage || this.#isEnded) return;
    this.#isToldOfDamage = true;
    this.#deps.onError(error);
    this.reset();
  }

  #hasRoom(): boolean {
    const { sink } = this.#deps;
    if (sink.queued() <= eventLimits.queuedBytes) return true;
    this.#isWaiting = true;
    sink.onceDrained(() => {
      this.#isWaiting = false;
      this.#stalledBeats = 0;
      this.pull();
    });
    return false;
  }

  async #writeNextPage(): Promise<boolean> {
    const records = await this.#deps.changes.after(this.#position);
    const [first] = records;
    if (first === undefined || this.#isEnded) return false;
    if (first.position !== this.#position + 1) {
      // Older records were pruned meanwhile: what lies between cannot be told.
      this.#position = first.position - 1;
      this.reset();
    }
    let text = "";
    for (const record of records) {
      this.#position = record.position;
      if (this.#deps.mayHear(record)) text += eventText(record);
    }
    // Once a page and behind it, with its last position: what stands before is told by then.
    if (records.some(changesContributions)) text += contributionsText(this.#position);
    this.#deps.sink.write(text);
    if (records.length === eventLimits.pageItems) await this.#deps.rest();
    return true;
  }
}

function eventText({ position, at, action, subject }: AuditRecord): string {
  const event: ChangeEvent = { position, at: new Date(at).toISOString(), action, subject };
  return `event: change\nid: ${position}\ndata: ${JSON.stringify(event)}\n\n`;
}

function pingText(position: number): string {
  return `event: ping\nid: ${position}\ndata: ${JSON.stringify({ position })}\n\n`;
}

function contributionsText(position: number): string {
  return `event: contributions\nid: ${position}\ndata: ${JSON.stringify({ position })}\n\n`;
}
