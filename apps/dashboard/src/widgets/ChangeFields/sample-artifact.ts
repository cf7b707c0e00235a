import type { Artifact } from "../../api/artifacts.ts";

/** A whole artifact for tests that look at a field or two. */
export function sampleArtifact(changes: Partial<Artifact> = {}): Artifact {
  return {
    id: "artifact_0123456789abcdefghjkmnpqrs",
    kind: "binary",
    name: "caddy",
    version: "2.8.4",
    architecture: "x64",
    sha256: "3f2a1b9c".repeat(8),
    size: 40_055_603,
    publisher: "acme",
    signature: { keyId: "0a1b2c3d".repeat(4), ed25519: `${"A".repeat(86)}==` },
    partSize: 32 * 1024 * 1024,
    parts: [0, 1],
    state: "whole",
    createdAt: "2026-11-17T02:49:00.000Z",
    by: "usr_1",
    wholeAt: "2026-11-17T02:50:00.000Z",
    ...changes,
  };
}
