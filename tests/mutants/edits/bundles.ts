import { editsIn } from "../edit.ts";

const verify = "packages/bundle/src/verify";

/** Contract 1, 2.2, 2.3, 3.1 and 7: what is verified of a bundle before anybody can accept it. */
export const bundleEdits = [
  ...editsIn(`${verify}/permission-checks.ts`, [
    {
      id: "3.1-3",
      old: "if (found !== sha256) return",
      new: "if (found === '') return",
      by: "changed after signing",
      inGate: true,
    },
    { id: "1-17", old: 'return runner === "system"\n', new: 'return runner === "wasm"\n', by: "are accepted" },
    { id: "3.1-17", old: 'new Set(["system"])', new: 'new Set(["system", "worker", "wasm"])', by: "Fallback runners" },
    { id: "7-3", old: "if (found !== sha256) return", new: "if (found === '') return", by: "changed after signing" },
  ]),
  ...editsIn(`${verify}/trust-checks.ts`, [
    {
      id: "1-5",
      old: "!verify(null, payload, key.key, signature)",
      new: "signature.length === 0",
      by: "the digest does not",
    },
    {
      id: "1-6",
      old: "if (trusted === undefined)",
      new: "if (trusted === undefined && publisher === '')",
      by: "Verification failures",
    },
    {
      id: "3.1-4",
      old: "!verify(null, payload, key.key, signature)",
      new: "signature.length === 0",
      by: "the manifest does not",
    },
    {
      id: "3.1-5",
      old: "if (counted.length === 0) {",
      new: "if (others.length === 0) {",
      by: "no matching public key",
    },
    {
      id: "3.1-6",
      old: 'const notTrusted = "publisher is not trusted"',
      new: 'const notTrusted = "unknown publisher"',
      by: "no such publisher",
    },
    {
      id: "7-1",
      old: 'const notTrusted = "publisher is not trusted"',
      new: 'const notTrusted = "unknown publisher"',
      by: "no matching public key",
    },
    { id: "7-2", old: '"invalid signature")', new: '"a bad signature")', by: "signed contribution data" },
    { id: "7-7", old: "signatures.length > 0", new: "signatures.length >= 0", by: "nobody signed" },
  ]),
  ...editsIn(`${verify}/byte-form.ts`, [
    {
      id: "2.2-4",
      old: "signatures: _, ...signed",
      new: "signatures: _, contributions: __, ...signed",
      by: "signed contribution data",
    },
  ]),
  ...editsIn(`${verify}/manifest-checks.ts`, [
    {
      id: "2.2-5",
      old: "find((name) => !isCapability(name))",
      new: "find((name) => name === '')",
      by: "judged as it says",
    },
    {
      id: "3.1-2",
      old: "Buffer.compare(bytes, form) === 0",
      new: "Buffer.compare(bytes, form) < 9",
      by: "judged as it says",
    },
  ]),
  ...editsIn(`${verify}/open-bundle.ts`, [
    { id: "1-21", old: "if (surplus !== undefined) {", new: "if (surplus === '') {", by: "whatever lies" },
    { id: "2.2-3", old: "if (surplus !== undefined) {", new: "if (surplus === '') {", by: "what is no bundle" },
  ]),
  ...editsIn("apps/server/src/features/plugin-bundles/open-bundles.ts", [
    { id: "1-3", old: "accepted.set(name, one.bundle)", new: "accepted.size", by: "no record to" },
    {
      id: "2.2-1",
      old: "await listEntries(directory)",
      new: "await listEntries(`${directory}/bundles`)",
      by: "no record to",
    },
    {
      id: "3.3-2",
      old: "    rejections,\n    findLoaded",
      new: '    rejections: [...rejections, reject("more", tooMany)],\n    findLoaded',
      by: "Activate",
    },
    {
      id: "5.1-13",
      old: "await listEntries(directory)",
      new: "await listEntries(`${directory}/bundles`)",
      by: "no record to",
    },
  ]),
  ...editsIn("apps/server/src/features/plugin-bundles/open-trust.ts", [
    { id: "2.3-1", old: "return parseTrustPolicy(bytes);", new: "return emptyTrustPolicy;", by: "holds no secret" },
    { id: "5.1-14", old: "return parseTrustPolicy(bytes);", new: "return emptyTrustPolicy;", by: "holds no secret" },
  ]),
  ...editsIn("packages/plugin-sdk/src/core/open-action.ts", [
    { id: "1-16", old: 'method !== "plan")', new: 'method !== "plan" && method !== "apply")', by: "does not know" },
  ]),
  ...editsIn("packages/contract/src/plugin-names.ts", [
    { id: "1-16b", old: '"health", "plan"] as const', new: '"health", "plan", "apply"] as const', by: "plugin:invoke" },
  ]),
  ...editsIn("packages/contract/src/routes/routes-marketplace.ts", [
    { id: "1-20", old: 'method: "GET",', new: 'method: "POST",', by: "no remote install" },
  ]),
];
