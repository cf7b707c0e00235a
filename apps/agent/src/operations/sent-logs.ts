/** A line as it is sent; `s` is which of the sources that were asked for. */
export interface SentLine {
  readonly s: number;
  readonly at: number;
  readonly level: number | null;
  readonly text: string;
}

/** What is not sent; null where nobody could count it. */
export interface LostLines {
  readonly lines: number | null;
  readonly from: number;
  readonly to: number;
}

/** What became of one source. */
export interface ReadLog {
  /** Where reading goes on. */
  readonly place: string;
  /** Whether there is more than this answer has room for. */
  readonly isMore: boolean;
  readonly lost?: LostLines;
}

/** Cut off at these numbers, an answer is one message of the agent, and reading it is short work. */
export const sentLogLimits = {
  /** Of the lines as JSON: beside them a message has the names of the sources and the places. */
  answerBytes: 44 * 1024,
  readBytes: 256 * 1024,
  /** What is longer is cut before its end has come. */
  lineBytes: 64 * 1024,
  /** Passed over at once and counted; beyond it nobody counts. */
  passedBytes: 64 * 1024 * 1024,
  /** For one start of journalctl, and for the whole answer. */
  programMs: 5_000,
  answerMs: 12_000,
} as const;

/** What an answer has room for, over all its sources. */
export interface AnswerRoom {
  readonly lines: readonly SentLine[];
  /** False when there is no room: the line is not taken. */
  add(line: SentLine): boolean;
  /** How many lines there may be yet. */
  left(): number;
  /** Bytes that may be read of files yet. */
  readonly unread: { bytes: number };
}

export function openAnswerRoom(most: number): AnswerRoom {
  const lines: SentLine[] = [];
  let bytes = 0;
  return {
    lines,
    left: () => most - lines.length,
    add: (line) => {
      const more = Buffer.byteLength(JSON.stringify(line)) + 1;
      if (lines.length >= most || bytes + more > sentLogLimits.answerBytes) return false;
      bytes += more;
      lines.push(line);
      return true;
    },
    unread: { bytes: sentLogLimits.readBytes },
  };
}

/** What was lost in two ways is lost once. */
export function joinLost(one: LostLines | undefined, other: LostLines | undefined): LostLines | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    lines: one.lines === null || other.lines === null ? null : one.lines + other.lines,
    from: Math.min(one.from, other.from),
    to: Math.max(one.to, other.to),
  };
}
