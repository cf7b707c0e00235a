import type { Json } from "@gatehouse/base";
import type { OutKind, OutRecord } from "./outbox-format.ts";

/** Where an outbox stands: the highest that the server has, and the highest there is. */
export interface Cursor {
  readonly acked: number;
  readonly last: number;
}

/** What the remembered text becomes. It is asked when its turn has come, so that two who remember something there never undo each other. */
export type ChangeMark = (before: string | undefined) => string;

/** What waits for the server, on the disk. Numbers rise by one; where some are missing, a gap is told of behind them. */
export interface Outbox {
  /** On the disk when this resolves to its number. Rejects when it is not taken; the next that is taken is preceded by word of it, unless it is an outcome: the helper keeps those. */
  put(kind: OutKind, body: Json, mark?: ChangeMark): Promise<number>;
  /** The messages behind `seq` that are held, acknowledged or not: some of them, in order. Empty too when the disk gives none. */
  after(seq: number, limit: number): Promise<readonly OutRecord[]>;
  /** The server has everything up to `seq`. On the disk when this resolves. */
  ack(seq: number): Promise<void>;
  /** The server says that it has only what is up to `seq`. Resolves when a gap is told of, if what it misses is no longer held. */
  rewind(seq: number): Promise<void>;
  /** Puts word of what was not taken, when nothing else is put that would carry it. Resolves to whether it did. */
  tellGap(): Promise<boolean>;
  /** Undefined while the disk does not say. */
  cursor(): Cursor | undefined;
  /** A short text that is kept with the messages: it changes with `put` or alone, whole or not at all. */
  mark(): string | undefined;
  setMark(mark: ChangeMark): Promise<void>;
  waiting(): { readonly records: number; readonly bytes: number; readonly dropped: number };
  close(): Promise<void>;
}
