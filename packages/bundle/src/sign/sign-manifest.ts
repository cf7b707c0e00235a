import { sign } from "node:crypto";
import { fault } from "@gatehouse/contract";
import { bundleLimits, type Manifest, readManifest, signingPayload } from "../verify/index.ts";
import type { PublisherKey } from "./publisher-key.ts";

export type ManifestFields = Omit<Manifest, "schema" | "artifact" | "signatures" | "contributions"> & {
  readonly contributions?: Manifest["contributions"];
};

/** Makes an unsigned manifest of `fields` for an artifact; throws `bundle.manifest_invalid` that names the field. */
export function packManifest(fields: ManifestFields, artifact: Manifest["artifact"]): Manifest {
  const { capabilities, egress, contributions = { nav: [], enhancements: [] }, ...rest } = fields;
  return checked({
    ...rest,
    schema: 1,
    artifact: { sha256: artifact.sha256, size: artifact.size },
    capabilities: sortedDistinct(capabilities),
    ...(egress === undefined ? {} : { egress: { ...egress, hosts: sortedDistinct(egress.hosts) } }),
    contributions,
    signatures: [],
  });
}

/** Adds the signature of `key`, in the place of an older one by the same key; the others stay as they are. */
export function signManifest(manifest: Manifest, key: PublisherKey): Manifest {
  const unsigned = checked(manifest);
  const ed25519 = sign(null, signingPayload(unsigned), key.privateKey).toString("base64");
  const others = unsigned.signatures.filter((signature) => signature.keyId !== key.keyId);
  if (others.length >= bundleLimits.signatures) {
    throw fault("bundle.manifest_invalid", `/signatures: expected at most ${bundleLimits.signatures}, found one more`);
  }
  const signatures = [...others, { keyId: key.keyId, ed25519 }];
  signatures.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  return { ...unsigned, signatures };
}

function checked(manifest: unknown): Manifest {
  const reading = readManifest(manifest);
  if (reading.ok) return reading.manifest;
  throw fault("bundle.manifest_invalid", `${reading.at}: expected ${reading.expected}, found ${reading.found}`);
}

/** A list in the order the byte form asks for. What is no list stays, and is refused by name afterwards. */
function sortedDistinct<T extends string>(items: readonly T[]): readonly T[] {
  return Array.isArray(items) ? [...new Set<T>(items)].sort() : items;
}
