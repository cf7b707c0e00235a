/** `reconnecting` for the first seconds without a stream, `offline` after that. */
export type LiveState = "live" | "reconnecting" | "offline";

export interface Live {
  readonly state: LiveState;
  /** When the server was last heard, once it is known that what is on the screen does not follow it any more. */
  readonly staleFrom: number | undefined;
}

/** What is used of an EventSource. */
export type Source = Pick<EventSource, "readyState" | "close" | "addEventListener">;

export interface LiveDeps {
  readonly open: (after: string | undefined) => Source;
  /** False when the stream was refused for want of a session. */
  readonly mayOpen: () => Promise<boolean>;
  readonly onEvent: (name: EventName, data: string) => void;
  /** Nothing came for so long that calls under way will hardly be answered either. */
  readonly onSilence: () => void;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Each timer gives back the way to stop it. */
export interface Clock {
  readonly now: () => number;
  readonly after: (ms: number, act: () => void) => () => void;
  readonly every: (ms: number, act: () => void) => () => void;
}

const eventNames = ["change", "contributions", "presence", "steps", "reset", "ping"] as const;
export type EventName = (typeof eventNames)[number];

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
const offlineAfterMs = 12_000;
/** The server says something every 15 seconds. */
const silentAfterMs = 35_000;
const lookEveryMs = 5_000;
const closed = 2;

/**
 * The one stream of the page. It is live because it was heard, not because nobody said that it ended: a network that loses
 * everything ends nothing.
 */
export class LiveStream {
  live: Live = { state: "reconnecting", staleFrom: undefined };
  readonly #deps: LiveDeps;
  readonly #listeners = new Set<() => void>();
  #isWanted = false;
  #source: Source | undefined;
  #lastId: string | undefined;
  #waitMs = firstWaitMs;
  #heardAt: number | undefined;
  /** Since when this source has been silent. */
  #silentFrom = 0;
  #stopReopening: (() => void) | undefined;
  #stopGivingUp: (() => void) | undefined;
  #stopLooking: (() => void) | undefined;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
  }

  /** From where the page has begun to read. Started twice, it stays one stream. */
  start(from: number): void {
    this.#isWanted = true;
    this.#lastId ??= String(from);
    this.#stopLooking ??= this.#deps.clock.every(lookEveryMs, () => this.look());
    if (this.#source === undefined && this.#stopReopening === undefined) this.#open();
  }

  stop(): void {
    this.#isWanted = false;
    for (const stop of [this.#stopReopening, this.#stopGivingUp, this.#stopLooking]) stop?.();
    this.#stopReopening = this.#stopGivingUp = this.#stopLooking = undefined;
    this.#lastId = this.#heardAt = undefined;
    this.#drop();
    this.live = { state: "reconnecting", staleFrom: undefined };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether it is time to hear something. By the clock on the wall: timers stand still while a machine sleeps. */
  look(): void {
    if (this.#source === undefined) return;
    const silentMs = this.#deps.clock.now() - this.#silentFrom;
    // The clock was put back.
    if (silentMs < 0) this.#silentFrom = this.#deps.clock.now();
    if (silentMs < silentAfterMs) return;
    this.#deps.onSilence();
    this.#renew();
  }

  /** The browser says that it has no network. A server on this machine is heard again at once. */
  networkLost(): void {
    if (this.#isWanted) this.#renew();
  }

  networkBack(): void {
    if (this.#isWanted && this.live.state !== "live") this.#renew();
  }

  #renew(): void {
    this.#drop();
    this.#stopReopening?.();
    this.#waitMs = firstWaitMs;
    this.#show("reconnecting", this.#heardAt);
    this.#open();
  }

  #drop(): void {
    this.#source?.close();
    this.#source = undefined;
  }

  #open(): void {
    this.#stopReopening = undefined;
    // The browser sends Last-Event-ID when it reconnects by itself; a new stream has to say where it goes on. The first one
    // goes on where the page's reads began: what changed before it was open is told by it.
    const source = this.#deps.open(this.#lastId);
    this.#source = source;
    this.#silentFrom = this.#deps.clock.now();
    const heard = (): boolean => {
      // One that was given up may still have something to say.
      if (this.#source !== source) return false;
      this.#silentFrom = this.#heardAt = this.#deps.clock.now();
      this.#waitMs = firstWaitMs;
      this.#show("live");
      return true;
    };
    source.addEventListener("open", heard);
    for (const name of eventNames) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (!heard()) return;
        this.#lastId = event.lastEventId || this.#lastId;
        this.#deps.onEvent(name, event.data);
      });
    }
    source.addEventListener("error", () => {
      if (this.#source !== source) return;
      this.#show("reconnecting", this.live.staleFrom);
      if (source.readyState === closed) void this.#openLater();
    });
  }

  /**
   * A closed stream was refused or had no server behind it. The browser does not say which, so a call finds out; one that
   * was refused for want of a session waits for the person to sign in again.
   */
  async #openLater(): Promise<void> {
    this.#source = undefined;
    if (!(await this.#deps.mayOpen())) return;
    if (!this.#isWanted || this.#source !== undefined || this.#stopReopening !== undefined) return;
    const waitMs = this.#waitMs * (1 + this.#deps.random() * 0.3);
    this.#stopReopening = this.#deps.clock.after(waitMs, () => this.#open());
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs);
  }

  #show(wanted: LiveState, staleFrom?: number): void {
    const state = wanted === "reconnecting" && this.live.state === "offline" ? "offline" : wanted;
    if (state === "reconnecting") {
      this.#stopGivingUp ??= this.#deps.clock.after(offlineAfterMs, () => this.#show("offline", this.#heardAt));
    } else {
      this.#stopGivingUp?.();
      this.#stopGivingUp = undefined;
    }
    if (state === this.live.state && staleFrom === this.live.staleFrom) return;
    this.live = { state, staleFrom };
    for (const listener of this.#listeners) listener();
  }
}
