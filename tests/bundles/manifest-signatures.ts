import { sign } from "node:crypto";
import type { PublisherKey } from "@gatehouse/bundle/sign";
import { signingPayload } from "@gatehouse/bundle/verify";
import { bad, good, signingKeys, type SignatureBook } from "./manifest-pool.ts";
import type { Loose } from "./manifest-values.ts";
import type { Random } from "../support/random.ts";
import { keyOf, sha256 } from "./sample.ts";

interface Signature {
  readonly keyId: string;
  readonly ed25519: string;
}

/** Spoils the list of signatures: other lists, other orders, other spellings, and signatures of other manifests. */
export function spoilSignatures(random: Random, manifest: Loose): void {
  const list: unknown[] = Array.isArray(manifest["signatures"]) ? manifest["signatures"] : [];
  manifest["signatures"] = random.pick(ways)(list.filter(isWhole), random);
}

/** Whether nothing has been spoilt about it so far. */
function isWhole(signature: unknown): signature is Signature {
  const { keyId, ed25519 } = (signature ?? {}) as Partial<Record<keyof Signature, unknown>>;
  return typeof keyId === "string" && typeof ed25519 === "string" && ed25519.length === 88;
}

/** Order of the curve's group: s and s + L are the same to a careless verifier. */
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

const anySignature = (random: Random): Signature =>
  random.pick([...good, ...bad].flatMap(({ manifest }) => manifest.signatures));

const spell = (list: readonly Signature[], how: (signature: string) => string): unknown[] =>
  list.map((one) => ({ ...one, ed25519: how(one.ed25519) }));

const ways: readonly ((list: readonly Signature[], random: Random) => unknown)[] = [
  () => [],
  () => undefined,
  () => null,
  (list) => list.slice(1),
  (list) => list.toReversed(),
  (list) => [...list, ...list],
  (list) => list.map(({ keyId }) => ({ keyId })),
  (list) => list.map(({ ed25519 }) => ed25519),
  (list) => list[0] ?? {},
  // What was made for another manifest, under its own key's name or under a trusted one.
  (_, random) => [anySignature(random)],
  (list, random) => [...list, anySignature(random)].sort(byKey),
  (list, random) => list.map(({ keyId }) => ({ keyId, ed25519: anySignature(random).ed25519 })),
  (list, random) => list.map(({ ed25519 }) => ({ keyId: random.pick(signingKeys).keyId, ed25519 })),
  (list) => list.map(({ keyId, ed25519 }) => ({ keyId: keyId.toUpperCase(), ed25519 })),
  (list) => list.flatMap((one) => [one, { ...one, keyId: one.keyId.toUpperCase() }]),
  (list) => list.map(({ keyId, ed25519 }) => ({ keyId, ed25519, trusted: true })),
  (list, random) => [...list, { keyId: random.pick(signingKeys).keyId, ed25519: random.text(90) }],
  () => [{ keyId: keyOf("acme").keyId, ed25519: Buffer.alloc(64).toString("base64") }],
  () => signingKeys.map(({ keyId }) => ({ keyId, ed25519: Buffer.alloc(64, 1).toString("base64") })).sort(byKey),
  () => Array.from({ length: 12 }, (_, at) => ({ keyId: at.toString(16).padStart(32, "0"), ed25519: "" })),
  (list, random) => spell(list, (text) => flipped(text, random)),
  (list) => spell(list, withGroupOrder),
  (list) => spell(list, (text) => text.replace(/=+$/, "")),
  (list) => spell(list, (text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  (list) => spell(list, (text) => `${text}\n`),
  (list) => spell(list, (text) => `${text.slice(0, 40)} ${text.slice(40)}`),
  // The last character of 64 bytes in base64 has four bits that say nothing.
  (list) => spell(list, (text) => text.replace(/[AQgw]==$/, (end) => `${spare[end[0] ?? ""] ?? "B"}==`)),
  (list) => spell(list, (text) => Buffer.from(text, "base64").toString("hex")),
];

const spare: Readonly<Record<string, string>> = { A: "B", Q: "R", g: "h", w: "x" };

function byKey(a: Signature, b: Signature): number {
  if (a.keyId === b.keyId) return 0;
  return a.keyId < b.keyId ? -1 : 1;
}

function flipped(text: string, random: Random): string {
  const bytes = Buffer.from(text, "base64");
  const at = random.below(bytes.byteLength);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  return bytes.toString("base64");
}

/** The same point and s + L: a second signature of the same bytes, made without the key. */
function withGroupOrder(text: string): string {
  const bytes = Buffer.from(text, "base64");
  let s = bytes.subarray(32).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n) + groupOrder;
  for (let at = 32; at < 64; at += 1) {
    bytes[at] = Number(s & 255n);
    s >>= 8n;
  }
  return bytes.toString("base64");
}

/** Signs what stands there now, properly, by some keys; notes that these signatures exist. */
export function signAnew(random: Random, manifest: Loose, book: SignatureBook): void {
  const payload = payloadOf(manifest);
  if (payload === undefined) return;
  const digest = sha256(payload);
  const signers: readonly PublisherKey[] = signingKeys.filter(() => random.chance(0.4));
  const signatures = signers.map(({ keyId, privateKey }) => {
    const ed25519 = sign(null, payload, privateKey).toString("base64");
    book.note(keyId, digest, ed25519);
    return { keyId, ed25519 };
  });
  manifest["signatures"] = signatures.sort(byKey);
}

/** What has no byte form cannot be signed. */
function payloadOf(manifest: Loose): Uint8Array | undefined {
  try {
    return signingPayload(manifest);
  } catch {
    return undefined;
  }
}
