import { fault } from "@gatehouse/contract/faults";
import { encodeText, isSameBytes, readText } from "@gatehouse/keys/frame";
import { describeFound } from "./describe-found.ts";
import { type SshKeyType, sshKeyTypes } from "./ssh-key.ts";
import { joinBytes, readSshInteger, readSshStrings, sshString, takeSshString } from "./ssh-wire.ts";

/** Every statement is signed under this name; which statement it is, its frame says. */
export const approvalNamespace = "gatehouse-approve@v1";

/** The program and arguments that sign what is given to them as input; the frame is the whole input. */
export function sshKeygenSign(keyFile: string): readonly [string, ...string[]] {
  return ["ssh-keygen", "-Y", "sign", "-n", approvalNamespace, "-f", keyFile];
}

/** A signature as OpenSSH writes it (PROTOCOL.sshsig), version 1. */
export interface SshSig {
  /** The blob of the key that signed, as the signature says it. */
  readonly signer: Uint8Array;
  readonly namespace: Uint8Array;
  readonly hash: "sha256" | "sha512";
  readonly type: SshKeyType;
  /** 64 bytes: as Ed25519 has them, or r and s. */
  readonly signature: Uint8Array;
  /** What a security key adds: one byte of flags and its counter, as they were signed. Empty for others. */
  readonly presence: Uint8Array;
}

/** Reads a blob without armor. Throws `signature.format` for anything but the one form. */
export function readSshSig(bytes: Uint8Array): SshSig {
  const outer = readSshStrings(bytes.subarray(preamble.byteLength), 5)?.strings as FiveStrings | undefined;
  if (!isSameBytes(bytes.subarray(0, preamble.byteLength), preamble) || outer === undefined) {
    throw refused("an SSHSIG of version 1 and nothing behind it", `${bytes.byteLength} other bytes`);
  }
  const [signer, namespace, reserved, hashName, inner] = outer;
  if (reserved.byteLength !== 0) throw refused("no reserved bytes", String(reserved.byteLength));
  const hash = readText(hashName);
  if (hash !== "sha256" && hash !== "sha512") throw refused("sha256 or sha512", describeFound(hashName));
  return { signer, namespace, hash, ...readInner(inner, takeSshString(signer)?.string ?? new Uint8Array()) };
}

/** The key blob that bytes name as their signer, before anything else in them is judged. */
export function findSigner(bytes: Uint8Array): Uint8Array | undefined {
  if (!isSameBytes(bytes.subarray(0, preamble.byteLength), preamble)) return undefined;
  return takeSshString(bytes.subarray(preamble.byteLength))?.string;
}

/** What the key has signed: the name and the hash of the message, never the message itself. */
export function sshSigMessage({ namespace, hash }: Pick<SshSig, "namespace" | "hash">, digest: Uint8Array): Uint8Array {
  return joinBytes(magic, sshString(namespace), sshString(""), sshString(hash), sshString(digest));
}

type FiveStrings = readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
const magic = encodeText("SSHSIG");
const preamble = joinBytes(magic, Uint8Array.of(0, 0, 0, 1));

/** Flags and counter. */
const presenceLength = 5;

function readInner(inner: Uint8Array, keyType: Uint8Array): Pick<SshSig, "type" | "signature" | "presence"> {
  const type = readText(keyType) ?? "";
  if (!Object.hasOwn(sshKeyTypes, type)) {
    throw refused("a signature of a key type that is accepted", describeFound(keyType));
  }
  const { curve, isSecurityKey } = sshKeyTypes[type as SshKeyType];
  const read = readSshStrings(inner, 2, isSecurityKey ? presenceLength : 0);
  const [how, value] = (read?.strings ?? []) as [Uint8Array?, Uint8Array?];
  if (read === undefined || how === undefined || value === undefined || !isSameBytes(how, keyType)) {
    throw refused(`a signature of ${type}`, "another");
  }
  const signature = curve === "ed25519" ? readEd25519(value) : readEcdsa(value);
  if (signature === undefined)
    throw refused(`a signature of ${type} in its one form`, `${value.byteLength} other bytes`);
  return { type: type as SshKeyType, signature, presence: read.rest };
}

function readEd25519(value: Uint8Array): Uint8Array | undefined {
  return value.byteLength === 64 ? value : undefined;
}

function readEcdsa(value: Uint8Array): Uint8Array | undefined {
  const numbers = readSshStrings(value, 2)?.strings.map((number) => readSshInteger(number, 32)) ?? [];
  const [r, s] = numbers;
  return r === undefined || s === undefined ? undefined : joinBytes(r, s);
}

function refused(expected: string, found: string): Error {
  return fault("signature.format", `expected ${expected}, found ${found}`);
}
