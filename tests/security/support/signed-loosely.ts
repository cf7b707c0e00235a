import { sign } from "node:crypto";
import type { PublisherKey } from "@gatehouse/bundle/sign";
import { serialiseManifest, signingPayload } from "@gatehouse/bundle/verify";
import { keyOf, type SampleBundle } from "../../bundles/sample.ts";

/**
 * A bundle with other fields, signed over whatever they are by somebody who is trusted and careless: our own tools would
 * refuse to. Shows that a signature excuses nothing.
 */
export function signedLoosely(
  bundle: SampleBundle,
  fields: Readonly<Record<string, unknown>>,
  keys: readonly PublisherKey[] = [keyOf("acme")],
): Pick<SampleBundle, "id" | "manifestBytes" | "artifact"> {
  const { signatures: _, ...said } = { ...bundle.manifest, ...fields };
  const payload = signingPayload(said);
  const signatures = keys
    .map(({ keyId, privateKey }) => ({ keyId, ed25519: sign(null, payload, privateKey).toString("base64") }))
    .sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  return { id: bundle.id, artifact: bundle.artifact, manifestBytes: serialiseManifest({ ...said, signatures }) };
}
