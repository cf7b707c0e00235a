import { hostLogLimits } from "@gatehouse/contract";
import { shownLogText } from "./log-text.ts";
import { sentLogLimits } from "./sent-logs.ts";

export interface CutLines {
  /** How many bytes are done with. */
  readonly taken: number;
  readonly isInLine: boolean;
  /** Whether a line was there for which no room was left. */
  readonly isFull: boolean;
}

export interface CutFrom {
  /** The first bytes are the rest of a line whose beginning was sent. */
  readonly isInLine: boolean;
  /** Nothing comes behind these bytes, so that the last line needs no line feed. */
  readonly isFinal: boolean;
}

const lineFeed = 0x0a;
/** As many as a line's characters can have, and one character more: what is behind them is cut anyway. */
const shownBytes = 4 * (hostLogLimits.lineChars + 1);

/** The lines of bytes, each given to `take` as it may be shown, until one is not taken. A line without its end waits for it. */
export function cutLines(bytes: Uint8Array, from: CutFrom, take: (text: string) => boolean): CutLines {
  let { isInLine } = from;
  let at = 0;
  while (at < bytes.byteLength) {
    const end = bytes.indexOf(lineFeed, at);
    const isWhole = end !== -1;
    const length = (isWhole ? end : bytes.byteLength) - at;
    const isCut = !isWhole && length >= sentLogLimits.lineBytes;
    if (!isInLine) {
      if (!isWhole && !isCut && !from.isFinal) break;
      if (!take(lineText(bytes.subarray(at, at + length)))) return { taken: at, isInLine, isFull: true };
    }
    isInLine = !isWhole && (isInLine || isCut);
    at += isWhole ? length + 1 : length;
  }
  return { taken: at, isInLine, isFull: false };
}

/** The one before the line feed belongs to it where lines end with two characters. */
function lineText(line: Uint8Array): string {
  const bytes = line.at(-1) === 0x0d ? line.subarray(0, -1) : line;
  return shownLogText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, shownBytes)));
}
