import { emptyTrustPolicy, type Manifest, openBundle, verifyBundle } from "@gatehouse/bundle/verify";
import { fault } from "@gatehouse/contract";
import { placeOfBundle } from "./bundle-argument.ts";

export interface UnverifiedBundle {
  readonly manifest: Manifest;
  /** Of the bytes that are there, whatever the manifest says. */
  readonly artifactSha256: string;
  readonly artifactSize: number;
}

/** A bundle whose form is right. Nobody was asked whether to trust it, so nothing of it may be believed. */
export async function readUnverified(path: string): Promise<UnverifiedBundle> {
  const { directory, name } = placeOfBundle(path);
  const bundle = await openBundle(directory, name);
  try {
    // Trusting nobody, the engine stops behind the manifest's form, unless the form itself is wrong.
    const verdict = await verifyBundle({ bundle, policy: emptyTrustPolicy, now: Date.now() });
    if (verdict.accepted) throw new Error("a bundle was accepted though nobody is trusted");
    const { refusal, manifest } = verdict;
    const isForm = manifest === undefined || refusal.code === "bundle.id_mismatch";
    if (isForm) throw fault(refusal.code, refusal.detail);
    return { manifest, artifactSha256: await bundle.hashArtifact(), artifactSize: bundle.artifactSize };
  } finally {
    await bundle.close();
  }
}
