import { createHash, type KeyObject } from "node:crypto";
import { publicKeyBytes, signBytes } from "@gatehouse/keys";
import { artifactMessage, artifactOf, type Operation } from "@gatehouse/plan";
import type { KeptArtifact } from "../src/tasks/kept-artifact.ts";

/** As the inbox has it, and whether it was closed. */
export function keptOf(bytes: Uint8Array): KeptArtifact & { isClosed(): boolean } {
  let isClosed = false;
  return {
    sha256: sha256Of(bytes),
    size: bytes.byteLength,
    read: async (position, length) => bytes.subarray(position, position + length),
    close: async () => void (isClosed = true),
    isClosed: () => isClosed,
  };
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function idOf(key: KeyObject): string {
  return sha256Of(publicKeyBytes(key)).slice(0, 32);
}

type Replace = Extract<Operation, { kind: "binary.replace" }>;
type Update = Extract<Operation, { kind: "agent.update" }>;

/** An operation that brings these bytes, before it is signed. */
export function replaceWith(bytes: Uint8Array, more: Record<string, unknown> = {}): Replace {
  const facts = { path: "/opt/tool", name: "tool", version: "1.0.0", architecture: "x64", publisher: "acme" };
  return { kind: "binary.replace", ...facts, ...bytesOf(bytes), ...more } as unknown as Replace;
}

export function updateTo(bytes: Uint8Array, more: Record<string, unknown> = {}): Update {
  const facts = { version: "0.3.0", architecture: "x64" };
  return { kind: "agent.update", ...facts, ...bytesOf(bytes), ...more } as unknown as Update;
}

/** Signed over what `as` says, which is what the operation itself says unless somebody cheats. */
export function signed<One extends Replace | Update>(operation: One, key: KeyObject, as: Operation = operation): One {
  const named = artifactOf(as);
  if (named === undefined) throw new Error("nothing of it can be signed");
  const ed25519 = Buffer.from(signBytes(key, artifactMessage(named))).toString("base64");
  return { ...operation, signature: { keyId: idOf(key), ed25519 } };
}

function bytesOf(bytes: Uint8Array) {
  const signature = { keyId: "0".repeat(32), ed25519: `${"A".repeat(86)}==` };
  return { sha256: sha256Of(bytes), size: bytes.byteLength, signature };
}
