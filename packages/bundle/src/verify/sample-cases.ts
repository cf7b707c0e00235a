import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ManifestFields, packManifest, publisherKeyFromSeed, signManifest } from "../sign/index.ts";
import { type Manifest, type OpenBundle, parseTrustPolicy, serialiseManifest, type TrustPolicy } from "./index.ts";

/** A good bundle and a policy that trusts it, for tests that spoil one thing. */
export const sampleKey = publisherKeyFromSeed(new Uint8Array(32).fill(7));
export const sampleArtifact = Buffer.from("#!/bin/sh\necho hello\n");
export const sampleNow = Date.parse("2026-12-01T00:00:00Z");

export function sampleManifest(changes: Partial<ManifestFields> = {}): Manifest {
  const fields = {
    id: "acme-lines",
    name: "Lines",
    version: "1.0.0",
    publisher: "acme",
    runner: "system" as const,
    capabilities: ["kv:read" as const],
    ...changes,
  };
  const sha256 = createHash("sha256").update(sampleArtifact).digest("hex");
  return signManifest(packManifest(fields, { sha256, size: sampleArtifact.byteLength }), sampleKey);
}

export function samplePolicyFields() {
  return {
    publishers: {
      acme: {
        keys: [{ id: sampleKey.keyId, publicKey: sampleKey.publicKey }],
        idPrefixes: ["acme-"],
        capabilities: ["kv:read", "kv:write"],
      },
    },
  };
}

export function samplePolicy(): TrustPolicy {
  return parseTrustPolicy(Buffer.from(JSON.stringify(samplePolicyFields())));
}

/** A bundle in memory; `changes` put something else in a place. */
export function openSample(changes: Partial<OpenBundle> = {}): OpenBundle {
  return {
    id: "acme-lines",
    manifest: serialiseManifest(sampleManifest()),
    artifactSize: sampleArtifact.byteLength,
    hashArtifact: () => Promise.resolve(createHash("sha256").update(sampleArtifact).digest("hex")),
    close: () => Promise.resolve(),
    ...changes,
  };
}

/** A plugin directory on disk that holds the good bundle, and goes away at the end of its block. */
export async function placeSample(): Promise<{ directory: string; bundle: string } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-bundle-"));
  const bundle = join(directory, "acme-lines");
  await mkdir(bundle);
  await writeFile(join(bundle, "manifest.json"), serialiseManifest(sampleManifest()));
  await writeFile(join(bundle, "artifact"), sampleArtifact);
  return { directory, bundle, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}
