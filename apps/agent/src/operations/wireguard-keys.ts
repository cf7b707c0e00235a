import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { makeDirectoryDurably, nodeVfs, writeDurably } from "@gatehouse/files";
import { wireguardFiles } from "@gatehouse/plan";
import { agentPaths } from "../config.ts";
import { rootOwner } from "../host/need-root.ts";
import { findOwnedFile } from "../host/read-owned-file.ts";

/** The key of an interface: where its private half is, and the public one. */
export interface WireguardKey {
  /** Root's alone, as `wg` reads it. Nothing but `wg` and this file ever has what it holds. */
  readonly path: string;
  readonly publicKey: string;
}

/** Within a process one waits for the other: two keys for one interface would leave one that was told and is not kept. */
const underWay = new Map<string, Promise<WireguardKey>>();

/** The key that this host keeps for an interface. It is made when there is none, and never changed. */
export async function keepWireguardKey(root: string, name: string): Promise<WireguardKey> {
  const path = keyPath(root, name);
  const before = underWay.get(path) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(async () => findWireguardKey(root, name) ?? makeKey(root, path));
  underWay.set(path, mine);
  try {
    return await mine;
  } finally {
    if (underWay.get(path) === mine) underWay.delete(path);
  }
}

/** Undefined where there is none. Throws for a file that others could have written, or that holds no key. */
export function findWireguardKey(root: string, name: string): WireguardKey | undefined {
  const path = keyPath(root, name);
  const bytes = findOwnedFile({
    path,
    owner: rootOwner(root),
    forbidden: 0o077,
    unsafe: "state.unreadable",
    mostBytes: 64,
  });
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const seed = Buffer.from(text, "base64");
  // The very text that is written here: wg takes no other of the same bytes, and prints what it does not take.
  if (seed.byteLength !== 32 || text !== keyText(seed))
    throw fault("state.unreadable", `${path}: expected a key, found none`);
  return { path, publicKey: publicHalf(createPublicKey(importKey(seed))) };
}

async function makeKey(root: string, path: string): Promise<WireguardKey> {
  const { privateKey, publicKey } = generateKeyPairSync("x25519");
  const seed = clamped(privateKey.export({ format: "der", type: "pkcs8" }).subarray(derHead.length));
  try {
    await makeDirectoryDurably(nodeVfs, agentPaths(root).wireguard);
    await writeDurably(nodeVfs, path, new TextEncoder().encode(keyText(seed)));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw fault("state.unreadable", `${path} cannot be written: ${code ?? "unknown"}`, { cause });
  }
  return { path, publicKey: publicHalf(publicKey) };
}

function keyPath(root: string, name: string): string {
  return join(agentPaths(root).wireguard, wireguardFiles.key(name));
}

function keyText(seed: Buffer): string {
  return `${seed.toString("base64")}\n`;
}

/** As WireGuard itself does with every key that it is given, so that what it has is what is kept. */
function clamped(seed: Buffer): Buffer {
  const key = Buffer.from(seed);
  key[0] = (key[0] ?? 0) & 248;
  key[31] = ((key[31] ?? 0) & 127) | 64;
  return key;
}

/** What stands before the 32 bytes of an X25519 key in PKCS #8. */
const derHead = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20];

function importKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.from([...derHead, ...seed]), format: "der", type: "pkcs8" });
}

/** The last 32 bytes of its DER form are the key. */
function publicHalf(key: KeyObject): string {
  return key.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
}
