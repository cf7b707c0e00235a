/** What there can be news about. */
export type Topic = "audit.moved";

/** Where to look; at most once, perhaps late, perhaps twice. Whoever gets it reads the store. */
export interface Hint {
  /** The newest position the sender knows of. */
  readonly position: number;
}

/** Adapters: in-process (one container); PostgreSQL and NATS come with scale-out. All pass the cases in `bus-cases.ts`. */
export interface Bus {
  /** Never fails and never waits: the change is already durable, the hint is a courtesy. */
  publish(topic: Topic, hint: Hint): void;
  /** Returns the way to stop. */
  subscribe(topic: Topic, listener: (hint: Hint) => void): () => void;
  close(): Promise<void>;
}
