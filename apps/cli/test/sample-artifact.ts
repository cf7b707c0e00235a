import { createHash } from "node:crypto";
import type { Artifact } from "@gatehouse/contract/routes";

/** As a server shows it: a program, all of it there unless a test says otherwise. */
export function sampleArtifact(change: Partial<Artifact> = {}): Artifact {
  return {
    id: `artifact_${"7".repeat(18)}5d7skrbj`,
    kind: "binary",
    name: "tool",
    version: "1.2.3",
    architecture: "x64",
    sha256: createHash("sha256").update("a program").digest("hex"),
    size: 9,
    signature: { keyId: "0a".repeat(16), ed25519: `${"A".repeat(86)}==` },
    publisher: "acme",
    partSize: 8,
    parts: [0, 1],
    state: "whole",
    createdAt: "2026-11-17T05:00:00.000Z",
    by: "usr_ada",
    wholeAt: "2026-11-17T05:01:00.000Z",
    ...change,
  };
}
