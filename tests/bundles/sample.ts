import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Capability } from "@gatehouse/contract";
import {
  type ManifestFields,
  packManifest,
  type PublisherKey,
  publisherKeyFromSeed,
  signManifest,
} from "@gatehouse/bundle/sign";
import {
  artifactName,
  type Manifest,
  manifestName,
  type OpenBundle,
  parseTrustPolicy,
  serialiseManifest,
  type TrustPolicy,
} from "@gatehouse/bundle/verify";

/** Both files of a bundle, and what they were made from. */
export interface SampleBundle {
  readonly id: string;
  readonly manifest: Manifest;
  readonly manifestBytes: Uint8Array;
  readonly artifact: Uint8Array;
}

/** The key pair that belongs to a word: the same in every run, so that a failure can be repeated. */
export function keyOf(word: string): PublisherKey {
  let key = keys.get(word);
  if (key === undefined) {
    key = publisherKeyFromSeed(createHash("sha256").update(`a publisher key of the tests: ${word}`).digest());
    keys.set(word, key);
  }
  return key;
}

const keys = new Map<string, PublisherKey>();

export type SampleFields = Partial<Omit<ManifestFields, "id">> & { readonly id: string };

/** A bundle of the publisher `acme`, signed by each of the keys. */
export function makeBundle(
  fields: SampleFields,
  signers: readonly PublisherKey[] = [keyOf("acme")],
  artifact: string | Uint8Array = `#!/bin/sh\necho ${fields.id}\n`,
): SampleBundle {
  const bytes = typeof artifact === "string" ? Buffer.from(artifact) : artifact;
  const all = { name: "A sample", version: "1.0.0", publisher: "acme", runner: "system", capabilities: [], ...fields };
  const unsigned = packManifest(all as ManifestFields, { sha256: sha256(bytes), size: bytes.byteLength });
  const manifest = signers.reduce(signManifest, unsigned);
  return { id: fields.id, manifest, manifestBytes: serialiseManifest(manifest), artifact: bytes };
}

export interface SamplePublisher {
  readonly keys: readonly PublisherKey[];
  readonly notAfter?: string;
  readonly idPrefixes?: readonly string[];
  readonly capabilities?: readonly Capability[];
  readonly threshold?: number;
  readonly firstParty?: boolean;
}

export interface SampleRevoked {
  readonly keys?: readonly string[];
  readonly digests?: readonly string[];
}

/** The text of a trust policy, as an operator writes it. */
export function policyText(
  publishers: Readonly<Record<string, SamplePublisher>> = { acme: { keys: [keyOf("acme")] } },
  revoked?: SampleRevoked,
): string {
  const written = Object.entries(publishers).map(([id, publisher]) => {
    const { notAfter, threshold, firstParty } = publisher;
    const listed = publisher.keys.map(({ keyId, publicKey }) => ({
      id: keyId,
      publicKey,
      ...(notAfter === undefined ? {} : { notAfter }),
    }));
    const { idPrefixes = [`${id}-`], capabilities = [] } = publisher;
    const more = { ...(threshold !== undefined && { threshold }), ...(firstParty !== undefined && { firstParty }) };
    return [id, { keys: listed, idPrefixes, capabilities, ...more }] as const;
  });
  return JSON.stringify({ publishers: Object.fromEntries(written), ...(revoked === undefined ? {} : { revoked }) });
}

export function policyOf(...written: Parameters<typeof policyText>): TrustPolicy {
  return parseTrustPolicy(Buffer.from(policyText(...written)));
}

/** A bundle that is only in memory: for tests of more cases than a disk can take. */
export function inMemory({
  id,
  manifestBytes,
  artifact,
}: Pick<SampleBundle, "id" | "manifestBytes" | "artifact">): OpenBundle {
  return {
    id,
    manifest: manifestBytes,
    artifactSize: artifact.byteLength,
    hashArtifact: () => Promise.resolve(sha256(artifact)),
    close: () => Promise.resolve(),
  };
}

/** Writes a bundle into a plugin directory, under its id or another name. */
export async function placeBundle(
  directory: string,
  bundle: Pick<SampleBundle, "id" | "manifestBytes" | "artifact">,
  name = bundle.id,
): Promise<string> {
  const path = join(directory, name);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, manifestName), bundle.manifestBytes);
  await writeFile(join(path, artifactName), bundle.artifact);
  return path;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
