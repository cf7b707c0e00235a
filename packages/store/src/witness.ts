import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { fault } from "@gatehouse/contract";
import type { Head } from "./port.ts";

/**
 * A chain cannot see its own end cut off. So the server signs (position, link) now and then, others keep the newest they
 * saw, and whoever verifies the chain later holds it against that.
 */
export interface WitnessedHead extends Head {
  /** The server's Ed25519 public key, base64url of the raw 32 bytes. */
  readonly server: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Base64url. */
  readonly signature: string;
}

const domain = "gatehouse-audit-witness-v1\n";
const rawPrefix = Buffer.from("302a300506032b6570032100", "hex");

export interface WitnessKey {
  readonly server: string;
  /** PKCS#8, base64url: a secret, sealed before it is kept. */
  readonly secret: string;
}

export function newWitnessKey(): WitnessKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const secret = privateKey.export({ type: "pkcs8", format: "der" }).toString("base64url");
  return { server: rawPublicKey(publicKey), secret };
}

export function signHead(key: WitnessKey, head: Head, at: number): WitnessedHead {
  const privateKey = createPrivateKey({ key: Buffer.from(key.secret, "base64url"), format: "der", type: "pkcs8" });
  const signature = sign(null, statement(head, key.server, at), privateKey).toString("base64url");
  return { position: head.position, link: head.link, server: key.server, at, signature };
}

/** True when the signature is the server's own over exactly this head. */
export function isSigned(witnessed: WitnessedHead): boolean {
  const raw = Buffer.from(witnessed.server, "base64url");
  if (raw.length !== 32) return false;
  const publicKey = createPublicKey({ key: Buffer.concat([rawPrefix, raw]), format: "der", type: "spki" });
  const bytes = statement(witnessed, witnessed.server, witnessed.at);
  return verify(null, bytes, publicKey, Buffer.from(witnessed.signature, "base64url"));
}

export function parseWitness(text: string): WitnessedHead {
  const found = JSON.parse(text) as Partial<WitnessedHead>;
  const { position, link, server, at, signature } = found;
  const whole =
    Number.isSafeInteger(position) &&
    Number.isSafeInteger(at) &&
    [link, server, signature].every((field) => typeof field === "string");
  if (!whole) throw fault("store.malformed", "a witness file holds position, link, server, at and signature");
  return found as WitnessedHead;
}

function statement(head: Head, server: string, at: number): Buffer {
  return Buffer.from(`${domain}${server} ${head.position} ${head.link} ${at}`);
}

function rawPublicKey(key: KeyObject): string {
  return key.export({ type: "spki", format: "der" }).subarray(-32).toString("base64url");
}
