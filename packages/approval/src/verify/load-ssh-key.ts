import { createHash } from "node:crypto";
import { isSignedBy, isSignedByP256, loadP256Key, loadPublicKey } from "@gatehouse/keys";
import { encodeText, frame } from "@gatehouse/keys/frame";
import { readSshKey, readSshKeyLine, type SshKey, sshKeyTypes } from "../ssh-key.ts";

/** A key that only its owner can sign for. */
export interface LoadedSshKey extends SshKey {
  /** `signature` is 64 bytes: as Ed25519 has them, or r and s. */
  isSigned(bytes: Uint8Array, signature: Uint8Array): boolean;
}

/** Throws `key.type` for a type that is not accepted, and `key.weak` for bytes that are no key of one person. */
export function loadSshKey(blob: Uint8Array, whose: string): LoadedSshKey {
  const key = readSshKey(blob);
  return { ...key, isSigned: load[sshKeyTypes[key.type].curve](key.point, whose) };
}

/** The same from a line of a `.pub` file. */
export function parseSshKeyLine(line: string): LoadedSshKey & { readonly comment: string } {
  const { blob, comment } = readSshKeyLine(line);
  return { ...loadSshKey(blob, "the key"), comment };
}

/** How statements and trust files name an approver's key: it follows from the key, so it can be given to no other. */
export function approverKeyId(blob: Uint8Array): string {
  const framed = frame("gatehouse-approver-key-v1", encodeText("ssh"), blob);
  return createHash("sha256").update(framed).digest("hex").slice(0, 32);
}

/** As `ssh-keygen -l` prints it, for people who compare. */
export function sshFingerprint(blob: Uint8Array): string {
  // 32 bytes end in one `=`, which is not printed.
  return `SHA256:${createHash("sha256").update(blob).digest("base64").slice(0, -1)}`;
}

const load = {
  ed25519: (point: Uint8Array, whose: string) => {
    const key = loadPublicKey(point, whose);
    return (bytes: Uint8Array, signature: Uint8Array) => isSignedBy(key, bytes, signature);
  },
  nistp256: (point: Uint8Array, whose: string) => {
    const key = loadP256Key(point, whose);
    return (bytes: Uint8Array, signature: Uint8Array) => isSignedByP256(key, bytes, signature);
  },
} as const;
