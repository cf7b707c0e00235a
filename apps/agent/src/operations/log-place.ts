/**
 * Where reading a log goes on, as text. It is kept by the server, which may be a thief's and make one up: a place names no path and no
 * unit, so that it can at most have a log read again that root has listed.
 */
export interface FileLogPlace {
  /** Of the file that was read last; 0 where there was none. */
  readonly inode: bigint;
  readonly offset: number;
  /** The beginning of a line was sent and was too long: what follows up to its end is passed over. */
  readonly isInLine: boolean;
  /** How many of its first bytes the digest is of. By them another file is told apart that was given the same number. */
  readonly headBytes: number;
  readonly head: string;
  /** When it was read. */
  readonly at: number;
}

/** The device is not in it: its number may be another one after a start of the host, and the digest tells more. */
const filePlace = /^f1:(\d{1,20}):(\d{1,15}):([ls]):(\d{1,3}):([0-9a-f]{16}):(\d{1,15})$/;
const ofJournal =
  /^s=[0-9a-f]{32};i=[0-9a-f]{1,16};b=[0-9a-f]{32};m=[0-9a-f]{1,16};t=([0-9a-f]{1,16});x=[0-9a-f]{1,16}$/;

/** Undefined for what is no such place. */
export function parseFileLogPlace(text: string): FileLogPlace | undefined {
  const found = filePlace.exec(text);
  if (found === null) return undefined;
  const [, inode = "", offset, state, headBytes, head = "", at] = found;
  return {
    inode: BigInt(inode),
    offset: Number(offset),
    isInLine: state === "s",
    headBytes: Number(headBytes),
    head,
    at: Number(at),
  };
}

export function writeFileLogPlace({ inode, offset, isInLine, headBytes, head, at }: FileLogPlace): string {
  return ["f1", inode, offset, isInLine ? "s" : "l", headBytes, head, at].join(":");
}

/** A place in the journal: a cursor of journald, or nothing, which is its beginning. */
export interface JournalPlace {
  readonly cursor: string;
  /** When that entry was written, in milliseconds. */
  readonly at: number;
}

export function parseJournalPlace(text: string): JournalPlace | undefined {
  return text.startsWith("j1:") ? journalPlaceOf(text.slice(3)) : undefined;
}

/** Undefined for what journald would not say. */
export function journalPlaceOf(cursor: string): JournalPlace | undefined {
  if (cursor === "") return { cursor, at: 0 };
  const found = ofJournal.exec(cursor);
  return found === null ? undefined : { cursor, at: Math.floor(Number.parseInt(found[1] ?? "0", 16) / 1_000) };
}

/**
 * Whether two places are one entry: by its boot, its times and what it holds. The rest of a cursor is about the file that has the entry,
 * and becomes another when journald moves its entries from memory to the disk.
 */
export function isSamePlace(one: JournalPlace, other: JournalPlace): boolean {
  return one.cursor.slice(one.cursor.indexOf(";b=")) === other.cursor.slice(other.cursor.indexOf(";b="));
}

export function writeJournalPlace({ cursor }: JournalPlace): string {
  return `j1:${cursor}`;
}
