import { fault } from "@gatehouse/contract/faults";
import { encodeText, frame, isSameBytes, readFrame, readNumber, readText, u64 } from "@gatehouse/keys/frame";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";

/** Given by the caller, so that browser, agent and server each use what they have. */
export type Digest = (bytes: Uint8Array) => Uint8Array;

/** What a one-time code tells the host: where the server is, which key it has, and the secret that lets one host in. */
export interface EnrolCode {
  readonly url: string;
  /** The server's Ed25519 key itself, not its fingerprint. */
  readonly server: Uint8Array;
  readonly secret: Uint8Array;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

export const secretLength = 16;
const prefix = "ghe1_";
const checkLength = 4;
const codeDomain = "gatehouse-enrol-code-v1";

export function writeEnrolCode(sha256: Digest, { url, server, secret, notAfter }: EnrolCode): string {
  const framed = frame(codeDomain, encodeText(url), server, secret, u64(notAfter));
  const check = sha256(framed).subarray(0, checkLength);
  return prefix + encodeBase64url(new Uint8Array([...framed, ...check]));
}

/** Reads a code that somebody has copied. Says that it is damaged, and never shows it: it is a secret while it lasts. */
export function parseEnrolCode(sha256: Digest, text: string): EnrolCode {
  if (!text.startsWith(prefix)) throw damaged(`a code begins with ${prefix}`);
  const bytes = decodeBase64url(text.slice(prefix.length));
  if (bytes === undefined || bytes.byteLength <= checkLength) throw damaged("it has characters that no code has");
  const framed = bytes.subarray(0, -checkLength);
  if (!isSameBytes(sha256(framed).subarray(0, checkLength), bytes.subarray(-checkLength))) {
    throw damaged("its check digits do not fit; a part of it is missing or was changed");
  }
  const fields = readFrame(framed, codeDomain, ["any", 32, secretLength, 8]);
  const url = fields && readText(fields[0]);
  const notAfter = fields && readNumber(fields[3]);
  if (fields === undefined || url === undefined || notAfter === undefined)
    throw damaged("it is not built as a code is");
  return { url, server: fields[1], secret: fields[2], notAfter };
}

/** Under which name the server keeps a code: it follows from the secret, and the secret does not follow from it. */
export function enrolCodeId(sha256: Digest, secret: Uint8Array): Uint8Array {
  return sha256(frame("gatehouse-enrol-id-v1", secret)).subarray(0, 16);
}

/** What HKDF-SHA256 is told when the key of the MAC is made from the secret, with the server's key as salt. */
export const enrolMacInfo = "gatehouse-enrol-mac-v1";

/** The address in a code: https, or http to this very machine. Returns what is wrong with it, or undefined. */
export function findUrlFlaw(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "it is no address";
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return "it has more than an origin";
  if (url.pathname !== "/") return "it has a path";
  if (url.protocol === "https:") return undefined;
  const isOwn = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/.test(url.hostname);
  return url.protocol === "http:" && isOwn ? undefined : "it is not https, and not this machine itself";
}

function damaged(why: string): Error {
  return fault("enrol.code_malformed", why);
}
