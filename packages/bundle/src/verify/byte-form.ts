import { createHash } from "node:crypto";
import { fault } from "@gatehouse/contract";

/** Signatures cover these words too, so that a signature made for anything else is none over a manifest. */
export const payloadHeading = "gatehouse-plugin-manifest-v1\n";

/**
 * The one byte form of a manifest: UTF-8, keys sorted by UTF-16 code unit, two-space indent, escapes as JSON.stringify
 * writes them, integers only, LF at the end. Throws `bundle.manifest_not_canonical` for a value that has no such form.
 */
export function serialiseManifest(manifest: unknown): Uint8Array {
  return encoder.encode(`${writeValue(manifest, "")}\n`);
}

/** What a publisher signs: the heading, and the byte form of all fields but `signatures` (contract 2.2). */
export function signingPayload(manifest: object): Uint8Array {
  const { signatures: _, ...signed } = manifest as Record<string, unknown>;
  return encoder.encode(`${payloadHeading}${writeValue(signed, "")}\n`);
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const encoder = new TextEncoder();

function writeValue(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => writeValue(item, `${indent}  `));
    return writeBlock("[", items, "]", indent);
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    // JSON.stringify would move keys that look like array indexes to the front, so members are written here.
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    const members = entries.map(([key, member]) => `${JSON.stringify(key)}: ${writeValue(member, `${indent}  `)}`);
    return writeBlock("{", members, "}", indent);
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw fault("bundle.manifest_not_canonical", `expected integers within 2^53-1 only, found ${value}`);
  }
  return JSON.stringify(value);
}

function writeBlock(open: string, lines: readonly string[], close: string, indent: string): string {
  if (lines.length === 0) return open + close;
  return `${open}\n${indent}  ${lines.join(`,\n${indent}  `)}\n${indent}${close}`;
}
