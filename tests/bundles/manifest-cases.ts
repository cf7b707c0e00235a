import { bad, good, now, published, publishers, revokedDigest, SignatureBook, spentKeys } from "./manifest-pool.ts";
import { signAnew, spoilSignatures } from "./manifest-signatures.ts";
import { spoilText, writePlain, writeText } from "./manifest-texts.ts";
import { type Loose, spoilValue } from "./manifest-values.ts";
import type { Random } from "../support/random.ts";
import { keyOf, type SampleBundle, sha256 } from "./sample.ts";

/** One bundle to judge, and what is known about it beforehand. */
export interface Case extends Pick<SampleBundle, "id" | "manifestBytes" | "artifact"> {
  /** Nothing was changed, so this one has to be accepted. */
  readonly isControl: boolean;
  readonly book: SignatureBook;
}

const everything = [...good, ...bad];

/** Draws a bundle: a signed one as it is, or one with its values, signatures, text, artifact or directory spoilt. */
export function drawCase(random: Random): Case {
  const from = random.pick(random.chance(0.8) ? good : everything);
  if (good.includes(from) && random.chance(0.05)) return { ...from, isControl: true, book: published };
  const manifest = structuredClone(from.manifest) as unknown as Loose;
  let book = published;
  const spoils = random.below(4);
  for (let done = 0; done < spoils; done += 1) spoilValue(random, manifest);
  if (spoils > 0 && random.chance(0.3)) {
    book = new SignatureBook();
    signAnew(random, manifest, book);
  }
  if (random.chance(0.4)) spoilSignatures(random, manifest);
  const text = random.chance(0.5) ? writePlain(manifest) : writeText(random, manifest);
  return {
    id: random.chance(0.9) ? String(manifest["id"]) : random.pick(everything).id,
    manifestBytes: random.chance(0.3) ? spoilText(random, text) : Buffer.from(text),
    artifact: random.chance(0.9) ? from.artifact : random.pick(everything).artifact,
    isControl: false,
    book,
  };
}

/**
 * Whether an allowed publisher has signed exactly these bytes for exactly this artifact and may do what they say. Decided
 * without the engine: by JSON.parse, an own writer and the book of signatures that were made.
 */
export function isSigned({ id, manifestBytes, artifact, book }: Case): boolean {
  const read = readPlainly(manifestBytes);
  if (read === undefined) return false;
  const { signatures, ...signed } = read;
  if (!Array.isArray(signatures) || read["id"] !== id) return false;
  const { publisher = "", capabilities = [], runner, expiresAt, artifact: pinned } = signed as Signed;
  if (!Object.hasOwn(publishers, publisher)) return false;
  const { keys, threshold, prefix, capabilities: ceiling } = publishers[publisher as keyof typeof publishers];
  const payload = sha256(Buffer.from(`gatehouse-plugin-manifest-v1\n${writePlain(signed)}`));
  const ids = new Set<string>(keys.map((word) => keyOf(word).keyId).filter((keyId) => !spentKeys.has(keyId)));
  const counted = (signatures as { keyId: string; ed25519: string }[]).filter(({ keyId }) => ids.has(keyId));
  const digest = sha256(artifact);
  return (
    counted.every(({ keyId, ed25519 }) => book.find(keyId, payload) === ed25519) &&
    new Set(counted.map(({ keyId }) => keyId)).size >= threshold &&
    id.startsWith(prefix) &&
    capabilities.every((name) => (ceiling as readonly string[]).includes(name)) &&
    runner === "system" &&
    (expiresAt === undefined || Date.parse(expiresAt) > now) &&
    pinned?.sha256 === digest &&
    pinned.size === artifact.byteLength &&
    digest !== revokedDigest
  );
}

/** What the judge looks at, if it is there. */
interface Signed {
  readonly publisher?: string;
  readonly capabilities?: readonly string[];
  readonly runner?: string;
  readonly expiresAt?: string;
  readonly artifact?: { readonly sha256: string; readonly size: number };
}

/** The object in bytes that are the one byte form of themselves. */
function readPlainly(bytes: Uint8Array): Loose | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && writePlain(value as Loose) === text ? (value as Loose) : undefined;
  } catch {
    return undefined;
  }
}
