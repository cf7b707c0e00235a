/** What there can be news about, and what is said: where to look; at most once, perhaps late, perhaps twice. */
export interface Hints {
  /** The newest position the sender knows of; whoever hears it reads the store. */
  readonly "audit.moved": { readonly position: number };
  /** Nodes that came or went. It is measured, not committed: whoever hears it asks again who is there. */
  readonly presence: { readonly nodes: readonly string[] };
  /** Plans whose hosts said how far they are. It is told, not committed: whoever hears it asks again. */
  readonly steps: { readonly plans: readonly string[] };
}

export type Topic = keyof Hints;

/**
 * Adapters: in-process (one container); PostgreSQL and NATS come with scale-out. All pass the cases in `bus-cases.ts`.
 * Hints of one sender keep their order. Any of them may be lost without a word, so whoever follows also reads the store on
 * a beat of its own. None comes before `publish` returns; how long after is nobody's to rely on.
 */
export interface Bus {
  /** Never fails and never waits: the change is already durable, the hint is a courtesy. */
  publish<Of extends Topic>(topic: Of, hint: Hints[Of]): void;
  /** Returns the way to stop. */
  subscribe<Of extends Topic>(topic: Of, listener: (hint: Hints[Of]) => void): () => void;
  /** Resolves when every subscription so far is known everywhere: what was published before may be lost, what comes after is on its way. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface BusOptions {
  /** Deployments, and tests, that share a server hear only their own. 1 to 40 of a–z, 0–9 and `-`. */
  readonly namespace: string;
  /** A listener that throws is reported and disturbs neither the others nor the sender. */
  readonly onListenerError: (error: unknown) => void;
}

/** The name under which an adapter sends: short enough for every server, and no wildcard of any. */
export function channelOf(namespace: string, topic: Topic): string {
  if (!/^[a-z0-9-]{1,40}$/.test(namespace)) throw new Error(`${JSON.stringify(namespace)} is no name space of a bus`);
  return `${namespace}.${topic}`;
}
