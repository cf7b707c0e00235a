import { createHash } from "node:crypto";
import { readFrame } from "@gatehouse/keys/frame";
import { describe, expect, test } from "vitest";
import { type ArtifactFacts, artifactMessage, nameOfArtifact } from "./artifact-facts.ts";
import { artifactOf } from "./operations/artifact-of-operation.ts";
import type { Operation } from "./operations/table.ts";

const sha256 = "ab".repeat(32);
const signature = { keyId: "0".repeat(32), ed25519: `${"A".repeat(86)}==` };
const said = { version: "1.2.3", architecture: "x64", sha256, size: 1_234_567, signature } as const;
const binary: ArtifactFacts = { kind: "binary", name: "tool", publisher: "acme", ...said };
const release: ArtifactFacts = { kind: "release", name: "gatehouse-agent", ...said };

describe("what the signature of an artifact is over", () => {
  test("is every fact in its order, behind the words of its kind", () => {
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const [digest, size, ...words] =
      readFrame(artifactMessage(binary), "gatehouse-binary-v1", [32, 8, "any", "any", "any", "any"]) ?? [];
    expect(digest?.toHex()).toBe(sha256);
    expect(size?.toHex()).toBe("000000000012d687");
    expect(words.map(text)).toEqual(["tool", "1.2.3", "x64", "acme"]);
    const frame = readFrame(artifactMessage(release), "gatehouse-release-v1", [32, 8, "any", "any", "any"]);
    expect(frame?.slice(2).map(text)).toEqual(["gatehouse-agent", "1.2.3", "x64"]);
  });

  test("is the same bytes as in the published vectors", () => {
    const digestOf = (facts: ArtifactFacts) => createHash("sha256").update(artifactMessage(facts)).digest("hex");
    expect([binary, release].map(digestOf)).toEqual([
      "85cb08302d5bc11d58f1dce4943e8132279c2a1ef390afa1831780ccb94402d0",
      "d58847d0e8dab8450fe14d2e6f8434ba81c218d8a9df10c737dab0673c8202f2",
    ]);
  });

  test("is another for every fact that is another", () => {
    const others: ArtifactFacts[] = [
      { ...binary, name: "tools" },
      { ...binary, version: "1.2.4" },
      { ...binary, architecture: "arm64" },
      { ...binary, sha256: "ac".repeat(32) },
      { ...binary, size: 1_234_568 },
      { ...binary, publisher: "acmes" },
      release,
      { ...release, version: "1.2.4" },
    ];
    const messages = [binary, ...others].map((facts) => artifactMessage(facts).toHex());
    expect(new Set(messages).size).toBe(messages.length);
  });
});

test("an operation brings the artifact that its own fields tell, and every other kind none", () => {
  const replace: Operation = { kind: "binary.replace", path: "/opt/tool", name: "tool", publisher: "acme", ...said };
  expect(artifactOf(replace)).toEqual(binary);
  expect(artifactOf({ kind: "agent.update", ...said })).toEqual(release);
  expect(artifactOf({ kind: "service.restart", unit: "nginx.service" })).toBeUndefined();
});

test("an artifact has a name that no program could take for anything else", () => {
  for (const name of ["tool", "a", "gatehouse-agent", "node_exporter-1.9"])
    expect(nameOfArtifact.safeParse(name).success, name).toBe(true);
  for (const name of ["", "-x", ".x", "A", "a/b", "a b", "a\n", "a".repeat(65)])
    expect(nameOfArtifact.safeParse(name).success, name).toBe(false);
});
