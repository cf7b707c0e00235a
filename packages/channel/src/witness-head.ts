import { frame, readFrame, readNumber, u64 } from "@gatehouse/keys/frame";

/**
 * A head of the server's audit log. Heads form a chain of their own: whoever holds one needs one hash and one signature to see that the
 * next goes on from it.
 */
export interface WitnessHead {
  /** Counted from 1. */
  readonly n: number;
  /** SHA-256 of the frame of the head before; `noHead` in the first of a line. */
  readonly prev: Uint8Array;
  readonly position: number;
  readonly link: Uint8Array;
  /** When the server made it, by its own clock. It decides nothing. */
  readonly at: number;
}

export const noHead: Uint8Array = new Uint8Array(32);

const domain = "gatehouse-witness-head-v1";

export function witnessHeadFrame({ n, prev, position, link, at }: WitnessHead): Uint8Array {
  return frame(domain, u64(n), prev, u64(position), link, u64(at));
}

export function readWitnessHead(framed: Uint8Array): WitnessHead | undefined {
  const fields = readFrame(framed, domain, [8, 32, 8, 32, 8]);
  if (fields === undefined) return undefined;
  const [n, position, at] = [fields[0], fields[2], fields[4]].map(readNumber);
  if (n === undefined || n === 0 || position === undefined || at === undefined) return undefined;
  return { n, prev: fields[1], position, link: fields[3], at };
}

/** What is sent of a head that lies between two that are known: its number and what it goes on from follow from them. */
export type HeadRow = Pick<WitnessHead, "position" | "link" | "at">;

/** Bytes of a row: u64 position, link, u64 at. */
export const headRowLength = 48;

export function packHeadRows(rows: readonly HeadRow[]): Uint8Array {
  const bytes = new Uint8Array(rows.length * headRowLength);
  for (const [index, { position, link, at }] of rows.entries()) {
    if (link.byteLength !== 32) throw new RangeError("a link has 32 bytes");
    const begin = index * headRowLength;
    bytes.set(u64(position), begin);
    bytes.set(link, begin + 8);
    bytes.set(u64(at), begin + 40);
  }
  return bytes;
}

/** Undefined for bytes that no list of rows has. */
export function unpackHeadRows(bytes: Uint8Array): HeadRow[] | undefined {
  if (bytes.byteLength % headRowLength !== 0) return undefined;
  const rows: HeadRow[] = [];
  for (let begin = 0; begin < bytes.byteLength; begin += headRowLength) {
    const position = readNumber(bytes.subarray(begin, begin + 8));
    const at = readNumber(bytes.subarray(begin + 40, begin + headRowLength));
    if (position === undefined || at === undefined) return undefined;
    rows.push({ position, link: bytes.subarray(begin + 8, begin + 40), at });
  }
  return rows;
}
