import { createHash } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import { isSameBytes, readText } from "@gatehouse/keys/frame";
import { describeFound } from "../describe-found.ts";
import { sshKeyTypes } from "../ssh-key.ts";
import { joinBytes } from "../ssh-wire.ts";
import { approvalNamespace, findSigner, readSshSig, type SshSig, sshSigMessage } from "../sshsig.ts";
import { type LoadedSshKey, loadSshKey, sshFingerprint } from "./load-ssh-key.ts";

/** A key that is believed, and how it has to be used. */
export interface PinnedKey {
  readonly blob: Uint8Array;
  /** Whether a security key must have asked for its PIN. That somebody touched it is always asked. */
  readonly needsVerification: boolean;
}

/** Throws the fault of the first check that does not hold. The checks stand alone below: a host goes through them for all signatures of an approval. */
export function verifySshSig(message: Uint8Array, signature: Uint8Array, pinned: PinnedKey): void {
  checkSigner(signature, pinned);
  const key = loadSshKey(pinned.blob, "the pinned key");
  const read = readSshSig(signature);
  checkNamespace(read);
  checkPresence(read, pinned);
  checkSignature(message, read, key);
}

/** A signature names its key. What is too damaged to name one is left to the reading of its form. */
export function checkSigner(signature: Uint8Array, { blob }: PinnedKey): void {
  const signer = findSigner(signature);
  if (signer === undefined || isSameBytes(signer, blob)) return;
  throw refused("signature.key_unknown", `the key ${sshFingerprint(blob)}`, sshFingerprint(signer));
}

export function checkNamespace({ namespace }: SshSig): void {
  if (readText(namespace) === approvalNamespace) return;
  throw refused("signature.namespace", `"${approvalNamespace}"`, describeFound(namespace));
}

export function checkPresence({ type, presence }: SshSig, { needsVerification }: PinnedKey): void {
  if (!sshKeyTypes[type].isSecurityKey) return;
  const [flags = 0] = presence;
  const wanted = needsVerification ? touched | verified : touched;
  if ((flags & wanted) === wanted) return;
  const expected = needsVerification ? "a key that was touched and asked for its PIN" : "a key that was touched";
  throw refused("signature.presence", expected, `flags ${flags}`);
}

export function checkSignature(message: Uint8Array, sig: SshSig, key: LoadedSshKey): void {
  const signed = sshSigMessage(sig, createHash(sig.hash).update(message).digest());
  const bytes = sshKeyTypes[key.type].isSecurityKey
    ? joinBytes(sha256(key.application), sig.presence, sha256(signed))
    : signed;
  if (key.isSigned(bytes, sig.signature)) return;
  const found = "one of another statement or key";
  throw refused("signature.invalid", `a signature of ${sshFingerprint(key.blob)} under this statement`, found);
}

/** Flags of a security key: somebody touched it (UP), and it asked for its PIN (UV). */
const touched = 1;
const verified = 4;

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

type SignatureFault = `signature.${"key_unknown" | "namespace" | "presence" | "invalid"}`;

function refused(code: SignatureFault, expected: string, found: string): Error {
  return fault(code, `expected ${expected}, found ${found}`);
}
