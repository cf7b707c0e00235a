import { createPublicKey, type KeyObject } from "node:crypto";
import { parseStrictJsonBytes } from "@gatehouse/base";
import { type Capability, fault } from "@gatehouse/contract";
import { findKeyFlaw, keyIdOf } from "@gatehouse/keys";
import { decodeBase64 } from "./base64.ts";
import { trustLimits } from "./limits.ts";
import { describeValue } from "./printable.ts";
import { findPrivateKey } from "./private-key.ts";
import { parseTime } from "./time.ts";
import { type PolicyFields, readPolicyFields } from "./trust-schema.ts";

/** Whom the operator trusts, and for what (contract 2.3). */
export interface TrustPolicy {
  readonly publishers: ReadonlyMap<string, TrustedPublisher>;
  readonly revoked: { readonly keys: ReadonlySet<string>; readonly digests: ReadonlySet<string> };
}

export interface TrustedPublisher {
  readonly id: string;
  readonly keys: readonly TrustedKey[];
  readonly idPrefixes: readonly string[];
  readonly capabilities: ReadonlySet<Capability>;
  readonly threshold: number;
  /** Whether its plugins may add to what this build shows of its own (contract 3.2). It changes no verdict about a bundle. */
  readonly firstParty: boolean;
}

export interface TrustedKey {
  readonly id: string;
  /** Base64 of the 32 raw bytes. */
  readonly publicKey: string;
  /** Milliseconds; a signature counts up to and including this moment. */
  readonly notAfter?: number;
  readonly key: KeyObject;
}

export const emptyTrustPolicy: TrustPolicy = {
  publishers: new Map(),
  revoked: { keys: new Set(), digests: new Set() },
};

/** Reads a trust policy; throws `trust.invalid` that names the place, what is expected there and what was found. */
export function parseTrustPolicy(bytes: Uint8Array): TrustPolicy {
  if (bytes.byteLength > trustLimits.bytes) {
    throw invalid("/", `at most ${trustLimits.bytes} bytes`, `${bytes.byteLength} bytes`);
  }
  const read = parseStrictJsonBytes(bytes, { depth: 8, keys: trustLimits.bytes, items: trustLimits.bytes });
  const secret = findPrivateKey(bytes, read.ok ? read.value : undefined);
  if (secret !== undefined) throw fault("trust.invalid", secret);
  if (!read.ok) throw invalid("/", "strict JSON", `a fault at character ${read.at}: ${read.reason}`);
  const fields = readPolicyFields(read.value);
  if (!fields.ok) throw invalid(fields.at, fields.expected, fields.found);
  return buildPolicy(fields.policy);
}

/** A key object of 32 raw bytes, for `crypto.verify`. */
export function importPublicKey(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

function buildPolicy(policy: PolicyFields): TrustPolicy {
  const owners = new Map<string, string>();
  const publishers = new Map<string, TrustedPublisher>();
  for (const [id, publisher] of Object.entries(policy.publishers)) {
    const at = `/publishers/${id}`;
    const keys = publisher.keys.map((key, index) => {
      const place = `${at}/keys/${index}`;
      const owner = owners.get(key.id);
      if (owner !== undefined) throw invalid(place, "a key that stands nowhere else", `the key ${key.id} of ${owner}`);
      owners.set(key.id, id);
      return buildKey(key, place);
    });
    const threshold = publisher.threshold ?? 1;
    if (threshold > keys.length)
      throw invalid(`${at}/threshold`, `at most ${keys.length}, the number of keys`, String(threshold));
    publishers.set(id, {
      id,
      keys,
      idPrefixes: publisher.idPrefixes,
      capabilities: new Set(publisher.capabilities),
      threshold,
      firstParty: publisher.firstParty ?? false,
    });
  }
  const { keys = [], digests = [] } = policy.revoked ?? {};
  return { publishers, revoked: { keys: new Set(keys), digests: new Set(digests) } };
}

function buildKey(fields: PolicyFields["publishers"][string]["keys"][number], at: string): TrustedKey {
  const raw = decodeBase64(fields.publicKey, 32);
  // Never repeated: whoever took the wrong line of a key file for the public key would find the private one in a log.
  const length = `${fields.publicKey.length} characters`;
  if (raw === undefined) throw invalid(`${at}/publicKey`, "32 bytes in base64", `something else of ${length}`);
  const flaw = findKeyFlaw(raw);
  if (flaw !== undefined) throw invalid(`${at}/publicKey`, "an Ed25519 public key", `another value: ${flaw}`);
  const id = keyIdOf(raw);
  if (fields.id !== id) throw invalid(`${at}/id`, `${id}, which follows from publicKey`, describeValue(fields.id));
  const notAfter = fields.notAfter === undefined ? undefined : parseTime(fields.notAfter);
  return {
    id,
    publicKey: fields.publicKey,
    key: importPublicKey(raw),
    ...(notAfter === undefined ? {} : { notAfter }),
  };
}

function invalid(at: string, expected: string, found: string): Error {
  return fault("trust.invalid", `${at}: expected ${expected}, found ${found}`, { fields: { at } });
}
