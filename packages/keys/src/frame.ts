/**
 * The frame: what is signed or hashed is a list of fields behind the words that say what they are; browser-safe.
 * Never signs, never hashes.
 */

/** How long a field is: so many bytes, one of several lengths, or any. */
export type FieldLength = number | readonly number[] | "any";

/** Every field behind its length, the number of fields first: no two lists of fields give the same bytes. */
export function frame(domain: string, ...fields: readonly Uint8Array[]): Uint8Array {
  const parts = [encoder.encode(domain), ...fields];
  const bytes = new Uint8Array(4 + parts.reduce((sum, part) => sum + 4 + part.byteLength, 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, parts.length);
  let at = 4;
  for (const part of parts) {
    view.setUint32(at, part.byteLength);
    bytes.set(part, at + 4);
    at += 4 + part.byteLength;
  }
  return bytes;
}

/** The fields of a frame of exactly this domain and these lengths, without a byte behind; undefined for anything else. */
export function readFrame<const Lengths extends readonly FieldLength[]>(
  bytes: Uint8Array,
  domain: string,
  lengths: Lengths,
): { readonly [Index in keyof Lengths]: Uint8Array } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 4 || view.getUint32(0) !== lengths.length + 1) return undefined;
  const fields: Uint8Array[] = [];
  let at = 4;
  for (let part = 0; part <= lengths.length; part += 1) {
    if (bytes.byteLength - at < 4) return undefined;
    const length = view.getUint32(at);
    at += 4;
    if (length > bytes.byteLength - at) return undefined;
    fields.push(bytes.subarray(at, at + length));
    at += length;
  }
  if (at !== bytes.byteLength) return undefined;
  const [words, ...rest] = fields as [Uint8Array, ...Uint8Array[]];
  if (!isSameBytes(words, encoder.encode(domain))) return undefined;
  if (!rest.every((field, index) => isOfLength(field, lengths[index] as FieldLength))) return undefined;
  return rest as unknown as { readonly [Index in keyof Lengths]: Uint8Array };
}

/** How a frame travels: u32 length, the frame, and its signatures in the order that the frame's table names. */
export function joinSigned(framed: Uint8Array, ...signatures: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(4 + framed.byteLength + signatures.reduce((sum, part) => sum + part.byteLength, 0));
  new DataView(bytes.buffer).setUint32(0, framed.byteLength);
  let at = 4;
  for (const part of [framed, ...signatures]) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/** A signed message taken apart, or undefined when it has not exactly these signatures behind its frame. */
export function splitSigned<const Lengths extends readonly number[]>(
  bytes: Uint8Array,
  lengths: Lengths,
): { readonly framed: Uint8Array; readonly signatures: { readonly [Index in keyof Lengths]: Uint8Array } } | undefined {
  if (bytes.byteLength < 4) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const behind = lengths.reduce((sum, each) => sum + each, 0);
  if (bytes.byteLength !== 4 + length + behind) return undefined;
  let at = 4 + length;
  const signatures = lengths.map((each) => {
    at += each;
    return bytes.subarray(at - each, at);
  });
  return {
    framed: bytes.subarray(4, 4 + length),
    signatures: signatures as unknown as { readonly [Index in keyof Lengths]: Uint8Array },
  };
}

/** A signed message with the meaning of its frame, or undefined when either is not as it has to be. Nobody has checked a signature. */
export function readSigned<const Lengths extends readonly number[], Value>(
  bytes: Uint8Array | undefined,
  lengths: Lengths,
  read: (framed: Uint8Array) => Value | undefined,
) {
  const split = bytes === undefined ? undefined : splitSigned(bytes, lengths);
  const value = split === undefined ? undefined : read(split.framed);
  return split === undefined || value === undefined ? undefined : { ...split, value };
}

export function u8(value: number): Uint8Array {
  return writeNumber(value, 1);
}

export function u16(value: number): Uint8Array {
  return writeNumber(value, 2);
}

export function u32(value: number): Uint8Array {
  return writeNumber(value, 4);
}

/** Times and counters; a number above 2^53-1 is nobody's. */
export function u64(value: number): Uint8Array {
  return writeNumber(value, 8);
}

/** The number of a field of at most eight bytes; undefined for one above 2^53-1. */
export function readNumber(field: Uint8Array): number | undefined {
  let value = 0;
  for (const byte of field) value = value * 256 + byte;
  return Number.isSafeInteger(value) ? value : undefined;
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of a field; undefined when its bytes are not UTF-8. */
export function readText(field: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(field);
  } catch {
    return undefined;
  }
}

export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.byteLength !== other.byteLength) return false;
  // Sixteen million calls of a function would be a second for a plan.
  for (let at = 0; at < one.byteLength; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

function isOfLength(field: Uint8Array, wanted: FieldLength): boolean {
  if (wanted === "any") return true;
  return typeof wanted === "number" ? field.byteLength === wanted : wanted.includes(field.byteLength);
}

function writeNumber(value: number, width: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 256 ** width) {
    throw new RangeError(`${value} is no whole number of ${width} bytes`);
  }
  const bytes = new Uint8Array(width);
  for (let at = width - 1, rest = value; at >= 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

const encoder = new TextEncoder();
