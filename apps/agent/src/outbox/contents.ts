import { frameHeadBytes, type Header, type OutKind, type WrittenChange } from "./outbox-format.ts";

/** Where a message stands in the file. */
export interface Entry {
  readonly seq: number;
  readonly kind: OutKind;
  /** Where its frame begins, and how long that is; two that were put together share one. */
  readonly at: number;
  readonly bytes: number;
}

export interface Waiting {
  readonly records: number;
  readonly bytes: number;
  /** What counts against the limit. */
  readonly weight: number;
}

/** What an outbox holds, without the messages themselves. */
export interface Contents {
  readonly acked: number;
  readonly last: number;
  /** Messages that had to be dropped since the outbox was made. */
  readonly dropped: number;
  readonly mark: string | null;
  /** By rising number. Those that are acknowledged stay until the file is written anew. */
  readonly entries: readonly Entry[];
  /** What waits for an acknowledgement. */
  readonly waiting: Waiting;
}

export const nothing: Waiting = { records: 0, bytes: 0, weight: 0 };

export function contentsOf(header: Pick<Header, "acked" | "last" | "dropped" | "mark">): Contents {
  const { acked, last, dropped, mark } = header;
  return { acked, last, dropped, mark, entries: [], waiting: nothing };
}

/** What there is after a change; undefined when the change cannot follow. `at` and `bytes` say where its frame stands. */
export function applyChange(
  before: Contents,
  { records = [], acked = before.acked, mark = before.mark ?? undefined }: WrittenChange,
  { at, bytes }: Pick<Entry, "at" | "bytes">,
): Contents | undefined {
  const added = records.map(({ seq, kind }) => ({ seq, kind, at, bytes }));
  const last = added.at(-1)?.seq ?? before.last;
  const highest = before.entries.at(-1)?.seq ?? 0;
  const follows = added.every(({ seq }, index) => {
    const previous = added[index - 1]?.seq;
    return seq > (previous ?? highest) && seq <= (previous ?? before.last) + 1;
  });
  if (!follows || acked < before.acked || acked > Math.max(before.last, last)) return undefined;
  // One list that grows: a copy for every message would cost more than the message. Nobody keeps an earlier one.
  const entries = before.entries as Entry[];
  entries.push(...added);
  const gone = acked === before.acked ? [] : between(entries, before.acked, acked);
  const waiting = {
    records: before.waiting.records + added.length - gone.length,
    bytes: before.waiting.bytes + bytesOf(added) - bytesOf(gone),
    weight: before.waiting.weight + weigh(added) - weigh(gone),
  };
  return { ...before, acked, last: Math.max(before.last, last), mark: mark ?? null, entries, waiting };
}

/** Those above `after` up to `upTo`. */
export function between(entries: readonly Entry[], after: number, upTo = Number.MAX_SAFE_INTEGER): readonly Entry[] {
  return entries.slice(firstAbove(entries, after), firstAbove(entries, upTo));
}

export function someAfter(entries: readonly Entry[], after: number, limit: number): readonly Entry[] {
  const from = firstAbove(entries, after);
  return entries.slice(from, from + limit);
}

export function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What counts against the limit. Small ones cost memory too, so that none counts for less than this. */
export function weigh(entries: readonly Entry[]): number {
  return entries.reduce((sum, { bytes }) => sum + Math.max(leastWeight, bytes), 0);
}

export const leastWeight = 512;
/** About what a message of so many bytes will count for. */
export const weightOf = (bodyBytes: number) => Math.max(leastWeight, frameHeadBytes + 64 + bodyBytes);

function firstAbove(entries: readonly Entry[], seq: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as Entry).seq <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
