import type { Json } from "@gatehouse/base";

/**
 * Says so when a trust policy holds a signing key (contract 7: never copy a signing key to the server). The words never
 * repeat the key.
 */
export function findPrivateKey(bytes: Uint8Array, value: Json | undefined): string | undefined {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(pemWords)) return words("in PEM form");
  const at = value === undefined ? undefined : findSecretField(value, "");
  return at === undefined ? undefined : words(`at ${at}`);
}

const secretNames = /^(?:seed|(?:private|secret|signing)[-_]?key|d)$/i;

/** JSON can spell these words with escapes, so they are looked for in the bytes and in every text. */
const pemWords = "PRIVATE KEY";

function findSecretField(value: Json, at: string): string | undefined {
  if (typeof value === "string") return value.includes(pemWords) ? at : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value as Record<string, Json>)) {
    if (!Array.isArray(value) && secretNames.test(name)) return `${at}/${name}`;
    const inside = findSecretField(member, `${at}/${name}`);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function words(place: string): string {
  return `a trust policy holds public keys only, and this one holds a private key ${place}: remove it here, and let its publisher make a new key, because this one has been copied`;
}
