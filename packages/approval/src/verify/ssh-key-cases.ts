import { createECDH, createHash, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { encodeText } from "@gatehouse/keys/frame";
import { type SshKeyType, sshKeyTypes } from "../ssh-key.ts";
import { joinBytes, sshString } from "../ssh-wire.ts";
import { approvalNamespace, sshSigMessage } from "../sshsig.ts";

/** A key pair of any accepted type that follows from a seed, security keys included: their format needs no device. */
export interface MadeKey {
  readonly type: SshKeyType;
  readonly blob: Uint8Array;
  readonly line: string;
  readonly privateKey: KeyObject;
}

export function makeKey(type: SshKeyType, seed: number): MadeKey {
  const isEd25519 = sshKeyTypes[type].curve === "ed25519";
  const { point, privateKey } = isEd25519 ? ed25519Pair(seed) : p256Pair(seed);
  const blob = joinBytes(
    sshString(type),
    ...(isEd25519 ? [] : [sshString("nistp256")]),
    sshString(point),
    ...(sshKeyTypes[type].isSecurityKey ? [sshString("ssh:")] : []),
  );
  return { type, blob, line: `${type} ${blob.toBase64()} ada@example`, privateKey };
}

export interface SigParts {
  readonly namespace?: string;
  readonly hash?: "sha256" | "sha512";
  /** Of a security key. */
  readonly flags?: number;
  /** Put in place of the signer's own blob. */
  readonly signer?: Uint8Array;
}

/** What `ssh-keygen -Y sign` writes, before armor. */
export function makeSshSig(key: MadeKey, message: Uint8Array, parts: SigParts = {}): Uint8Array {
  const { namespace = approvalNamespace, hash = "sha512", flags = 5, signer = key.blob } = parts;
  const digest = createHash(hash).update(message).digest();
  const signed = sshSigMessage({ namespace: encodeText(namespace), hash }, digest);
  return wrapInner(signer, innerOf(key, signed, flags), namespace, hash);
}

/** The outer form around an inner signature, whatever that is. */
export function wrapInner(
  signer: Uint8Array,
  inner: Uint8Array,
  namespace: string = approvalNamespace,
  hash: string = "sha512",
): Uint8Array {
  return joinBytes(
    encodeText("SSHSIG"),
    Uint8Array.of(0, 0, 0, 1),
    ...[signer, namespace, "", hash, inner].map((part) => sshString(part)),
  );
}

/** A number as SSH writes it. */
export function sshInteger(digits: Uint8Array): Uint8Array {
  const first = digits.findIndex((digit) => digit !== 0);
  const short = first === -1 ? new Uint8Array() : digits.subarray(first);
  return sshString((short[0] ?? 0) >= 0x80 ? joinBytes(Uint8Array.of(0), short) : short);
}

function innerOf({ type, privateKey }: MadeKey, signed: Uint8Array, flags: number): Uint8Array {
  if (!sshKeyTypes[type].isSecurityKey) return joinBytes(sshString(type), sshString(signatureOf(privateKey, signed)));
  const presence = Uint8Array.of(flags, 0, 0, 0, 7);
  const bytes = joinBytes(sha256(encodeText("ssh:")), presence, sha256(signed));
  return joinBytes(sshString(type), sshString(signatureOf(privateKey, bytes)), presence);
}

function signatureOf(key: KeyObject, bytes: Uint8Array): Uint8Array {
  if (key.asymmetricKeyType === "ed25519") return sign(null, bytes, key);
  const both = sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
  return joinBytes(sshInteger(both.subarray(0, 32)), sshInteger(both.subarray(32)));
}

function ed25519Pair(seed: number): { point: Uint8Array; privateKey: KeyObject } {
  const privateKey = importPrivateKey(new Uint8Array(32).fill(seed));
  return { point: publicKeyBytes(privateKey), privateKey };
}

function p256Pair(seed: number): { point: Uint8Array; privateKey: KeyObject } {
  const ecdh = createECDH("prime256v1");
  const d = Buffer.alloc(32, seed);
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const base64url = (bytes: Buffer) => bytes.toString("base64url");
  const [x, y] = [base64url(point.subarray(1, 33)), base64url(point.subarray(33))];
  const jwk = { kty: "EC", crv: "P-256", d: base64url(d), x, y };
  return { point: new Uint8Array(point), privateKey: createPrivateKey({ key: jwk, format: "jwk" }) };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
