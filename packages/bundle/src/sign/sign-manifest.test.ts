import { describe, expect, test } from "vitest";
import { sampleArtifact, sampleKey, sampleManifest } from "../verify/sample-cases.ts";
import { type Manifest, serialiseManifest } from "../verify/index.ts";
import { generatePublisherKey, packManifest, publisherKeyFromSeed, signManifest } from "./index.ts";

const artifact = { sha256: "a".repeat(64), size: sampleArtifact.byteLength };
const fields = {
  id: "acme-lines",
  name: "Lines",
  version: "1.0.0",
  publisher: "acme",
  runner: "system",
  capabilities: [],
} as const;

describe("packing", () => {
  test("lists are brought into their order, and contributions may be left out", () => {
    const manifest = packManifest(
      {
        ...fields,
        capabilities: ["kv:write", "http:egress", "kv:write"],
        egress: { hosts: ["b.example.com", "a.example.com"] },
        expiresAt: "2027-01-01T00:00:00Z",
      },
      { ...artifact, path: "x" } as typeof artifact,
    );
    expect(manifest).toEqual({
      ...fields,
      schema: 1,
      artifact,
      capabilities: ["http:egress", "kv:write"],
      egress: { hosts: ["a.example.com", "b.example.com"] },
      contributions: { nav: [], enhancements: [] },
      expiresAt: "2027-01-01T00:00:00Z",
      signatures: [],
    });
  });

  test.each([
    ["a field that does not exist", { comment: "x" }, "/comment: expected no such field, found one"],
    ["a field of another type", { capabilities: "all" }, '/capabilities: expected an array, found "all"'],
    ["a name that is empty", { name: "" }, /: \/name: expected 1 to 80 visible characters/],
  ])("%s is refused by name", (_, changes, detail) => {
    const pack = () => packManifest({ ...fields, ...changes } as never, artifact);
    expect(pack).toThrow(expect.objectContaining({ code: "bundle.manifest_invalid" }) as Error);
    expect(pack).toThrow(detail);
  });
});

describe("signing", () => {
  const second = publisherKeyFromSeed(new Uint8Array(32).fill(9));

  test("signatures are sorted by key, and one key has one", () => {
    const once = signManifest(sampleManifest(), second);
    const again = signManifest(signManifest(once, second), sampleKey);
    const ids = again.signatures.map((signature) => signature.keyId);
    expect(ids).toEqual([sampleKey.keyId, second.keyId].sort());
    expect(Buffer.from(serialiseManifest(again))).toEqual(Buffer.from(serialiseManifest(once)));
  });

  test("a ninth signature is refused", () => {
    let manifest: Manifest = sampleManifest();
    for (let count = 1; count < 8; count += 1) manifest = signManifest(manifest, generatePublisherKey());
    expect(signManifest(manifest, sampleKey).signatures).toHaveLength(8);
    expect(() => signManifest(manifest, generatePublisherKey())).toThrow("/signatures: expected at most 8");
  });

  test("what is no manifest is not signed", () => {
    expect(() => signManifest({ ...sampleManifest(), id: "X" }, second)).toThrow("bundle.manifest_invalid: /id");
  });
});
