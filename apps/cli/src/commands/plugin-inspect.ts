import { defineCommand } from "../command.ts";
import { bundleArgument } from "../plugins/bundle-argument.ts";
import { manifestLines } from "../plugins/describe-manifest.ts";
import { fieldLine } from "../plugins/field-lines.ts";
import { readUnverified } from "../plugins/read-unverified.ts";
import { asJson } from "../server/list-all.ts";

export const pluginInspect = defineCommand({
  name: "plugin inspect",
  summary: "say in words what a bundle claims to be",
  about: [
    "Reads the manifest of a bundle and says what it asks for: identity, capabilities and how far they reach, hosts, pages, digest and signers. Nothing of it is verified, the signatures included: anybody can write a manifest. gatehouse plugin verify judges it by a trust policy.",
    "The artifact is hashed; if it is not the one the manifest names, the exit code is 1.",
  ],
  examples: [
    { why: "Look at a bundle before thinking about trusting it", run: "gatehouse plugin inspect release/acme-hello" },
  ],
  arguments: { bundle: bundleArgument },
  flags: {},
  run: async ({ bundle }) => {
    const { manifest, artifactSha256 } = await readUnverified(bundle);
    const isSame = artifactSha256 === manifest.artifact.sha256;
    return {
      ok: isSame,
      lines: [
        `NOT VERIFIED: the bundle claims to be ${manifest.id} ${manifest.version} by ${manifest.publisher}.`,
        ...manifestLines(manifest),
        fieldLine("on disk", isSame ? "the artifact the manifest names" : `ANOTHER ARTIFACT: sha256 ${artifactSha256}`),
        `  Judge it: gatehouse plugin verify ${bundle} --trust FILE`,
      ],
      json: { bundle, verified: false, manifest: asJson(manifest), artifactSha256 },
    };
  },
});
