import { fault } from "@gatehouse/contract/faults";
import { keyIdOf, loadPublicKey } from "@gatehouse/keys";
import type { TrustFile } from "@gatehouse/approval";

/** As a trust file has them. */
export type Publishers = TrustFile["publishers"];

/**
 * Reads ID=KEY, where KEY is the `publicKey` that `gatehouse plugin keygen` prints. A publisher that is named again has one key more. What an id may be and
 * how many there may be is judged with the whole file.
 */
export function readPublishers(texts: readonly string[]): Publishers {
  // Without what every object has: `constructor` is a name like any other.
  const publishers = Object.create(null) as Publishers;
  for (const text of texts) {
    const [, id = "", key = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    const raw = readKey(key);
    if (raw === undefined) {
      throw fault("trust.form", `expected ID=KEY, a publisher and 32 bytes in base64, found ${JSON.stringify(text)}`);
    }
    loadPublicKey(raw, id);
    (publishers[id] ??= { keys: [] }).keys.push({ id: keyIdOf(raw), key });
  }
  return publishers;
}

/** In the one spelling of base64. */
function readKey(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
    return bytes.byteLength === 32 && bytes.toBase64() === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
