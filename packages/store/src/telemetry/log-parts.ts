const dayMs = 24 * 60 * 60_000;

/**
 * Lines are kept in parts: those that arrived on one day, or as many of them as a part may take of the disk. A part is removed whole, with
 * everything that was ever written about its lines (decision 0021).
 */
export interface LogPart {
  /** Grows. */
  readonly part: number;
  /** The id of a line is this and its place in the part, from 1 on. */
  readonly base: number;
  readonly lines: number;
  /** Of the lines' own times. */
  readonly oldest: number;
  readonly newest: number;
  /** Of the first and the last arrival. */
  readonly day: number;
  readonly arrived: number;
  readonly bytes: number;
}

/** A search looks at one part in one go, and a write waits for it. */
const mostPartBytes = 256 * 1024 ** 2;

/** A part is small beside what all may take, so that the one that is written never has to go; and they do not become too many. */
export function partBytesOf(mostBytes: number, usualBytes: number): number {
  return Math.floor(Math.min(Math.max(Math.min(usualBytes, mostBytes / 8), mostBytes / 512), mostPartBytes));
}

export function beginPart(before: LogPart | undefined, last: number, now: number): LogPart {
  // Microseconds: also in a file that was begun anew ids go on from where the lost one was, and who follows finds what is new.
  const base = Math.max(last, now * 1_000);
  return {
    part: (before?.part ?? 0) + 1,
    base,
    lines: 0,
    oldest: Number.MAX_SAFE_INTEGER,
    newest: 0,
    day: dayNumber(now),
    arrived: now,
    bytes: 0,
  };
}

/** A clock that goes back by a moment at midnight begins no part; one that was a day ahead does. */
export function isPartOver({ day, bytes }: LogPart, now: number, partBytes: number): boolean {
  const today = dayNumber(now);
  return bytes >= partBytes || today > day || today < day - 1;
}

/** The part that has to go: what is old, or the oldest while all of them are too large. Never the newest for its size. */
export function sparePart<Part extends LogPart>(
  parts: readonly Part[],
  { before, mostBytes }: { readonly before: number; readonly mostBytes: number },
): Part | undefined {
  const [oldest] = parts;
  const old = parts.find(({ arrived }) => arrived < before);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return old ?? (bytes > mostBytes && parts.length > 1 ? oldest : undefined);
}

export function lastId({ base, lines }: LogPart): number {
  return base + lines;
}

/** With rows that were written behind its last one. */
export function grownPart(part: LogPart, rows: readonly { readonly at: number }[], now: number): LogPart {
  return {
    ...part,
    lines: part.lines + rows.length,
    oldest: rows.reduce((least, { at }) => Math.min(least, at), part.oldest),
    newest: rows.reduce((most, { at }) => Math.max(most, at), part.newest),
    arrived: Math.max(part.arrived, now),
  };
}

function dayNumber(now: number): number {
  return Math.floor(now / dayMs);
}
