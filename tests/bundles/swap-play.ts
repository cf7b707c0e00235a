import type { Manifest } from "@gatehouse/bundle/verify";
import { signingPayload } from "@gatehouse/bundle/verify";
import { makeBundle, sha256 } from "./sample.ts";

/** The bundle under attack: two versions that are signed, and bytes that are not. */
export const name = "acme-swap";

/** How the two take turns: so many swaps in a round, and so many for each verdict. */
export const swapsPerRound = 16;
export const swapsPerVerdict = 2;

/** Large enough that hashing it takes several reads, between which something can happen. */
const artifactSize = 2_500_000;

function artifactOf(word: string): Buffer {
  return Buffer.alloc(artifactSize, `${word} `);
}

export const signed = ["1.0.0", "2.0.0"].map((version) =>
  makeBundle({ id: name, version }, undefined, artifactOf(version)),
);

/** As long as the signed ones: only the digest can tell. */
export const evilArtifact = artifactOf("9.9.9");

export const evilManifest = Buffer.from(
  Buffer.from(signed[0]?.manifestBytes ?? "")
    .toString()
    .replace("A sample", "Evil one"),
);

/** What an accepted verdict must say, by version. */
export function expectationFor(version: string) {
  const found = signed.find(({ manifest }) => manifest.version === version);
  if (found === undefined) return undefined;
  const { manifest, manifestBytes, artifact } = found;
  return { manifestBytes, artifactSha256: sha256(artifact), payloadSha256: payloadOf(manifest) };
}

function payloadOf(manifest: Manifest): string {
  return sha256(signingPayload(manifest));
}
