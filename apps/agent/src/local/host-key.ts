import type { KeyObject } from "node:crypto";
import { decodeBase64url, encodeBase64url } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import {
  exportPrivateKey,
  importPrivateKey,
  loadPublicKey,
  newPrivateKey,
  nodeIdOf,
  publicKeyBytes,
} from "@gatehouse/keys";
import type { Vfs } from "@gatehouse/files";
import * as z from "zod";
import type { AgentPaths } from "../config.ts";
import { findJsonFile, type JsonFile, putJsonFile } from "./json-file.ts";
import { machineDigest } from "./machine.ts";

/** What this host is: its node's id is the hash of this key, so that the key is never changed, only made anew for a new node. */
export interface HostIdentity {
  readonly key: KeyObject;
  readonly publicKey: Uint8Array;
  readonly nodeId: string;
  /** False when the key was made on another machine: the disk was copied. */
  readonly isBound: boolean;
}

const form = z.strictObject({
  schema: z.literal(1),
  seed: z.string().length(43),
  machine: z.string().regex(/^[0-9a-f]{64}$/),
});

export interface HostKeyPlace {
  readonly paths: Pick<AgentPaths, "root" | "hostKey">;
  readonly owner: number;
  readonly vfs?: Vfs | undefined;
}

export function findHostIdentity(place: HostKeyPlace): HostIdentity | undefined {
  const kept = findJsonFile(hostKeyFile(place));
  if (kept === undefined) return undefined;
  const seed = decodeBase64url(kept.seed);
  if (seed?.byteLength !== 32) throw fault("agent.file_unusable", `${place.paths.hostKey} holds no key`);
  return identityOf(importPrivateKey(seed), kept.machine === machineDigest(place.paths.root));
}

/** The identity of this very machine; what signs asks here. */
export function getHostIdentity(place: HostKeyPlace): HostIdentity {
  const found = findHostIdentity(place);
  if (found === undefined) throw fault("host.not_enrolled", "this host has no host key");
  if (!found.isBound) throw fault("identity.cloned", `${found.nodeId} was made on a machine with another machine id`);
  return found;
}

export async function makeHostIdentity(place: HostKeyPlace): Promise<HostIdentity> {
  const key = newPrivateKey();
  const seed = encodeBase64url(exportPrivateKey(key));
  await putJsonFile(hostKeyFile(place), { schema: 1, seed, machine: machineDigest(place.paths.root) });
  return identityOf(key, true);
}

function identityOf(key: KeyObject, isBound: boolean): HostIdentity {
  const publicKey = publicKeyBytes(key);
  loadPublicKey(publicKey, "the host key");
  return { key, publicKey, nodeId: nodeIdOf(publicKey), isBound };
}

function hostKeyFile({ paths, owner, vfs }: HostKeyPlace): JsonFile<z.output<typeof form>> {
  return { path: paths.hostKey, owner, mode: 0o600, form, vfs };
}
