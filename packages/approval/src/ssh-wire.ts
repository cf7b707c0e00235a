import { encodeText } from "@gatehouse/keys/frame";

/** The first string of SSH's wire form, u32 length and bytes, with what follows it; undefined when it is cut off. */
export function takeSshString(
  bytes: Uint8Array,
): { readonly string: Uint8Array; readonly rest: Uint8Array } | undefined {
  if (bytes.byteLength < 4) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (length > bytes.byteLength - 4) return undefined;
  return { string: bytes.subarray(4, 4 + length), rest: bytes.subarray(4 + length) };
}

/** Exactly so many strings and `behind` bytes behind them; undefined for anything else. */
export function readSshStrings(
  bytes: Uint8Array,
  count: number,
  behind = 0,
): { readonly strings: readonly Uint8Array[]; readonly rest: Uint8Array } | undefined {
  const strings: Uint8Array[] = [];
  let rest = bytes;
  for (let index = 0; index < count; index += 1) {
    const taken = takeSshString(rest);
    if (taken === undefined) return undefined;
    strings.push(taken.string);
    rest = taken.rest;
  }
  return rest.byteLength === behind ? { strings, rest } : undefined;
}

/**
 * A number above zero in its one spelling, as `length` bytes; undefined for zero, for a negative one, for one with a zero
 * byte too many, and for one that does not fit.
 */
export function readSshInteger(bytes: Uint8Array, length: number): Uint8Array | undefined {
  const [first, second = 0] = bytes;
  if (first === undefined || first >= 0x80) return undefined;
  if (first === 0 && second < 0x80) return undefined;
  const digits = first === 0 ? bytes.subarray(1) : bytes;
  if (digits.byteLength > length) return undefined;
  return joinBytes(new Uint8Array(length - digits.byteLength), digits);
}

export function sshString(value: string | Uint8Array): Uint8Array {
  const bytes = typeof value === "string" ? encodeText(value) : value;
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.byteLength);
  return joinBytes(length, bytes);
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}
