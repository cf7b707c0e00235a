import { signManifest } from "@gatehouse/bundle/sign";
import { count } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { defineCommand } from "../command.ts";
import { bundleArgument } from "../plugins/bundle-argument.ts";
import { manifestLines } from "../plugins/describe-manifest.ts";
import { openKey } from "../plugins/open-key.ts";
import { readUnverified } from "../plugins/read-unverified.ts";
import { replaceManifest } from "../plugins/write-bundle.ts";
import { asJson } from "../server/list-all.ts";
import { passphraseFlags } from "../terminal/passphrase.ts";
import { openPasswordSource } from "../terminal/password-source.ts";

const topic = "plugin sign";

export const pluginSign = defineCommand({
  name: topic,
  summary: "sign a bundle as its publisher",
  about: [
    "Adds the signature of a key to the manifest, over everything in it: identity, capabilities, contributions and the artifact's digest. Refused if the artifact is not the one that was packed. Where a publisher needs several signatures, each holder of a key runs this once; signing again with the same key replaces its signature.",
    "Read what it prints before you hand the bundle out: this is what you have put your name to.",
    "The key file must be yours, no link, and of mode 0600, as gatehouse plugin keygen makes it. Its passphrase is asked for on the terminal.",
  ],
  examples: [
    { why: "Sign a bundle", run: "gatehouse plugin sign release/acme-hello --key acme.key" },
    {
      why: "From a program that keeps passphrases",
      run: "gatehouse plugin sign release/acme-hello --key acme.key --passphrase-stdin < passphrase.txt",
    },
  ],
  arguments: { bundle: bundleArgument },
  flags: { key: { value: "FILE", about: "The key file.", required: true }, ...passphraseFlags },
  run: async (given, { terminal }) => {
    const { manifest, artifactSha256, artifactSize } = await readUnverified(given.bundle);
    const { sha256, size } = manifest.artifact;
    if (artifactSha256 !== sha256 || artifactSize !== size) {
      throw fault(
        "bundle.artifact_digest_mismatch",
        `artifact digest mismatch: expected ${sha256} of ${count(size, "byte")}, found ${artifactSha256} of ${count(artifactSize, "byte")}; pack the bundle again`,
      );
    }
    const passwords = openPasswordSource(terminal, given["passphrase-stdin"] === true, 1);
    const key = await openKey(given.key, passwords);
    const signed = signManifest(manifest, key);
    await replaceManifest(given.bundle, signed);
    return {
      ok: true,
      lines: [
        `Signed ${signed.id} ${signed.version} with ${key.keyId}; it has ${count(signed.signatures.length, "signature")}.`,
        ...manifestLines(signed, [key.keyId]),
      ],
      json: { bundle: given.bundle, keyId: key.keyId, manifest: asJson(signed) },
    };
  },
});
