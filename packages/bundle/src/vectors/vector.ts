import { createHash, sign } from "node:crypto";
import type { FaultCode } from "@gatehouse/contract";
import type { PublisherKey } from "../sign/index.ts";
import { serialiseManifest, signingPayload } from "../verify/index.ts";
import { vectorKeys } from "./vector-keys.ts";
import type { PolicyPath } from "./vector-policies.ts";

/** A thing a harness does to a copy of the bundle before it is judged. Paths are relative to the plugin directory. */
export type PlantStep =
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "directory"; readonly path: string }
  | { readonly do: "symlink"; readonly path: string; readonly target: string }
  | { readonly do: "hardlink"; readonly path: string; readonly to: string }
  | { readonly do: "fifo"; readonly path: string }
  | { readonly do: "size"; readonly path: string; readonly size: number }
  | { readonly do: "chmod"; readonly path: string; readonly mode: string }
  | { readonly do: "move"; readonly path: string; readonly to: string }
  | { readonly do: "remove"; readonly path: string };

export interface Vector {
  readonly name: string;
  readonly says: string;
  /** The reason code; none when the bundle is accepted. */
  readonly code?: FaultCode;
  readonly manifest: Uint8Array;
  readonly artifact?: Uint8Array;
  /** Name of the bundle's directory; `acme-lines` unless told. */
  readonly directory?: string;
  /** Name of the entry that is judged, when a plant step puts it elsewhere. */
  readonly entry?: string;
  readonly policy?: PolicyPath;
  readonly now?: string;
  readonly enabledRunners?: readonly string[];
  readonly plant?: readonly PlantStep[];
}

export const vectorId = "acme-lines";
export const vectorArtifact = Buffer.from("#!/bin/sh\necho hello\n");

/** The fields of the smallest manifest, changed as a vector needs it; `undefined` leaves a field out. */
export function fieldsOf(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const fields = {
    schema: 1,
    id: vectorId,
    name: "Lines",
    version: "1.0.0",
    publisher: "acme",
    runner: "system",
    capabilities: [],
    artifact: artifactFieldOf(vectorArtifact),
    contributions: { nav: [], enhancements: [] },
    ...changes,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function artifactFieldOf(bytes: Uint8Array): { sha256: string; size: number } {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.byteLength };
}

/** Signs whatever the fields are, so that a vector is wrong in one thing only. */
export function signFields(
  fields: Readonly<Record<string, unknown>>,
  keys: readonly PublisherKey[] = [vectorKeys.first],
): Record<string, unknown> {
  const payload = signingPayload(fields);
  const signatures = keys.map((key) => ({
    keyId: key.keyId,
    ed25519: sign(null, payload, key.privateKey).toString("base64"),
  }));
  return { ...fields, signatures: signatures.sort((a, b) => (a.keyId < b.keyId ? -1 : 1)) };
}

/** The bytes of a signed manifest with these changes. */
export function signed(changes: Readonly<Record<string, unknown>> = {}, keys?: readonly PublisherKey[]): Uint8Array {
  return serialiseManifest(signFields(fieldsOf(changes), keys));
}

/** Those bytes with one text in place of another; throws when it is not there, so that no vector is wrong in nothing. */
export function withText(bytes: Uint8Array, text: string, instead: string): Uint8Array {
  const whole = Buffer.from(bytes).toString();
  if (!whole.includes(text)) throw new Error(`the manifest does not hold ${text}`);
  return Buffer.from(whole.replace(text, () => instead));
}
