import type { ReadWords } from "./read-words.ts";

/** A part of a line as it is shown. */
export interface LinePiece {
  /** sign: what stands for control characters; mark: what somebody looks for. */
  readonly kind: "text" | "sign" | "mark";
  readonly text: string;
}

/** Signs for control characters in the order of their codes, and the one for "delete" behind the space's. */
const names =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP DEL".split(
    " ",
  );
const firstSign = 0x24_00;

/** Where a line has a sign, alone or with the colour that it began: `␛[31m`. */
const signs = /\u{241b}\[[0-9;?]{0,16}[A-Za-z]|[\u{2400}-\u{2421}\u{fffd}]/gu;

/** What a line is made of. Nothing of it is ever markup. */
export function linePieces(text: string, { words, marks }: Pick<ReadWords, "words" | "marks">): readonly LinePiece[] {
  const pieces: LinePiece[] = [];
  let at = 0;
  for (const found of text.matchAll(signs)) {
    pieces.push(...markedPieces(text.slice(at, found.index), { words, marks }));
    pieces.push({ kind: "sign", text: nameSign(found[0]) });
    at = found.index + found[0].length;
  }
  pieces.push(...markedPieces(text.slice(at), { words, marks }));
  return pieces;
}

function nameSign(sign: string): string {
  const name = names[(sign.codePointAt(0) ?? 0) - firstSign];
  return name === undefined ? sign : name + sign.slice(1);
}

function markedPieces(text: string, wanted: Pick<ReadWords, "words" | "marks">): LinePiece[] {
  const pieces: LinePiece[] = [];
  let at = 0;
  while (at < text.length) {
    const next = nextMark(text, at, wanted);
    if (next === undefined) break;
    if (next.from > at) pieces.push({ kind: "text", text: text.slice(at, next.from) });
    pieces.push({ kind: "mark", text: text.slice(next.from, next.to) });
    at = next.to;
  }
  if (at < text.length) pieces.push({ kind: "text", text: text.slice(at) });
  return pieces;
}

/** The first of what is looked for, the longest of those that begin together. A searched word begins a word, as in the search. */
function nextMark(text: string, start: number, { words, marks }: Pick<ReadWords, "words" | "marks">) {
  const found = [
    ...words.map((word) => ({ from: findWord(text, word, start), length: word.length })),
    ...marks.map((mark) => ({ from: findFolded(text, mark, start), length: mark.length })),
  ].filter(({ from }) => from >= 0);
  const [first] = found.toSorted((a, b) => a.from - b.from || b.length - a.length);
  return first === undefined ? undefined : { from: first.from, to: first.from + first.length };
}

function findWord(text: string, word: string, start: number): number {
  let at = findFolded(text, word, start);
  while (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) at = findFolded(text, word, at + 1);
  return at;
}

/** In either case. Letters whose other case is longer would move the places: those lines are taken as they are. */
function findFolded(text: string, word: string, start: number): number {
  const folded = text.toLowerCase();
  const isAligned = folded.length === text.length && word.toLowerCase().length === word.length;
  return isAligned ? folded.indexOf(word.toLowerCase(), start) : text.indexOf(word, start);
}
