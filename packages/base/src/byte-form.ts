import { writeCanonicalJson } from "./canonical-json.ts";
import type { Json } from "./json.ts";
import { parseStrictJsonBytes, type StrictJsonLimits, strictJsonLimits } from "./strict-json.ts";

/** The one byte form of a JSON value: its canonical text in UTF-8, with a line feed at its end. What is signed or hashed has this form. */
export function byteForm(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${writeCanonicalJson(value)}\n`);
}

/** The value whose byte form these bytes are; undefined for bytes that are the byte form of nothing. */
export function readByteForm(bytes: Uint8Array, limits: StrictJsonLimits = strictJsonLimits): Json | undefined {
  const read = parseStrictJsonBytes(bytes, limits);
  if (!read.ok) return undefined;
  const again = findByteForm(read.value);
  const isSame = again?.byteLength === bytes.byteLength && again.every((byte, index) => byte === bytes[index]);
  return isSame ? read.value : undefined;
}

/** A strict reader takes fractions, which have no byte form. */
function findByteForm(value: Json): Uint8Array | undefined {
  try {
    return byteForm(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
