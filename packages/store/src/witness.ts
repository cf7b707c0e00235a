import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import { witnessKey } from "@gatehouse/contract/records";
import { create } from "./change.ts";
import type { Head, Store } from "./port.ts";
import type { Secrets } from "./secrets.ts";

/**
 * A chain cannot see its own end cut off. So the server signs (position, link) now and then, others keep the newest they
 * saw, and whoever verifies the chain later holds it against that.
 */
export interface WitnessedHead extends Head {
  /** The server's Ed25519 public key, base64url of the raw 32 bytes. */
  readonly server: string;
  /** ISO 8601, UTC. */
  readonly at: string;
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

export interface Witness {
  /** Signs the durable head of the chain as it is now. */
  sign(now: number): Promise<WitnessedHead>;
  /** The key itself, for what the server says to its agents under domains of their own. */
  identity(): Promise<ServerIdentity>;
}

/** The server as its agents know it. What it signs are frames, which begin with another byte than the head of a log. */
export interface ServerIdentity {
  /** The raw Ed25519 key. */
  readonly publicKey: Uint8Array;
  sign(framed: Uint8Array): Uint8Array;
}

const place = { kind: "witness", id: "main", field: "secret" };

/**
 * The server's own signing key, made and sealed at the first start, so that it stays the same over restarts. A store that
 * takes no changes keeps nobody from starting: then nothing is signed until the next start.
 */
export async function openWitness(deps: {
  store: Pick<Store, "get" | "commit" | "head">;
  secrets: Secrets;
  now: number;
  onUnkept: (error: unknown) => void;
}): Promise<Witness> {
  const { store, secrets } = deps;
  const find = async () => {
    const found = await store.get(witnessKey);
    return found === undefined ? undefined : open(secrets, found.value);
  };
  const unkept = (error: unknown) => {
    deps.onUnkept(error);
    return undefined;
  };
  const key = (await find()) ?? (await keepNew(deps).catch(unkept));
  const known = async () => {
    const found = key ?? (await find());
    if (found !== undefined) return found;
    throw fault("server.not_ready", "the key that signs the head of the log could not be kept");
  };
  return witnessOf(known, store);
}

function witnessOf(known: () => Promise<WitnessKey>, store: Pick<Store, "head">): Witness {
  let identity: ServerIdentity | undefined;
  return {
    sign: async (now) => signHead(await known(), await store.head(), new Date(now).toISOString()),
    identity: async () => {
      identity ??= identityOf(await known());
      return identity;
    },
  };
}

function identityOf({ server, secret }: WitnessKey): ServerIdentity {
  const privateKey = importSecret(secret);
  return {
    publicKey: new Uint8Array(Buffer.from(server, "base64url")),
    sign: (framed) => {
      // The text that is signed for a head begins with `g`: what begins otherwise can never be taken for one.
      if (framed[0] !== 0) throw new RangeError("only a frame is signed in the server's name");
      return sign(null, framed, privateKey);
    },
  };
}

/** The witness of a store that keeps nothing: its key ends with the process. */
export function ephemeralWitness(store: Pick<Store, "head">): Witness {
  const key = newWitnessKey();
  return witnessOf(() => Promise.resolve(key), store);
}

async function keepNew({ store, secrets, now }: Parameters<typeof openWitness>[0]): Promise<WitnessKey> {
  const key = newWitnessKey();
  const value = { server: key.server, secret: secrets.seal(place, key.secret) };
  await store.commit(
    { at: now, actor: "system", action: "witness.key_made", subject: witnessKey.text, detail: { server: key.server } },
    [create(witnessKey, value)],
  );
  return key;
}

function open(secrets: Secrets, kept: { server: string; secret: string }): WitnessKey {
  return { server: kept.server, secret: secrets.open(place, kept.secret).toString("latin1") };
}

export function newWitnessKey(): WitnessKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const secret = privateKey.export({ type: "pkcs8", format: "der" }).toString("base64url");
  return { server: rawPublicKey(publicKey), secret };
}

export function signHead(key: WitnessKey, head: Head, at: string): WitnessedHead {
  const signature = sign(null, statement(head, key.server, at), importSecret(key.secret)).toString("base64url");
  return { position: head.position, link: head.link, server: key.server, at, signature };
}

function importSecret(secret: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(secret, "base64url"), format: "der", type: "pkcs8" });
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
    Number.isSafeInteger(position) && [link, server, at, signature].every((field) => typeof field === "string");
  if (!whole) throw fault("store.malformed", "a witness file holds position, link, server, at and signature");
  return found as WitnessedHead;
}

function statement(head: Head, server: string, at: string): Buffer {
  return Buffer.from(`${domain}${server} ${head.position} ${head.link} ${at}`);
}

function rawPublicKey(key: KeyObject): string {
  return key.export({ type: "spki", format: "der" }).subarray(-32).toString("base64url");
}
