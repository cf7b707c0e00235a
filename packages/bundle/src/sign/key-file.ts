import { argon2, createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { parseStrictJsonBytes } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import * as z from "zod";
import { type PublisherKey, publisherKeyFromSeed, seedOf } from "./publisher-key.ts";

/** How a key file is locked: by a passphrase, or not at all, which has to be said. */
export type KeyLock = { readonly passphrase: string } | { readonly plain: true };

/** What one passphrase costs to try: 64 MiB, three passes. It is opened by hand, a few times a day. */
const cost = { memory: 64 * 1024, passes: 3, parallelism: 4 } as const;

/** Writes a key pair as the bytes of a key file. Keeping the file to its owner (0600) is the caller's part. */
export async function sealKeyFile(key: PublisherKey, lock: KeyLock): Promise<Uint8Array> {
  const open = { kind, schema: 1, keyId: key.keyId, publicKey: key.publicKey } as const;
  const seed = seedOf(key);
  const secret =
    "plain" in lock
      ? { locked: false, privateKey: base64(seed) }
      : await lockSeed(seed, lock.passphrase, key.publicKey);
  return Buffer.from(`${JSON.stringify({ ...open, ...secret }, null, 2)}\n`);
}

/** Reads a key file; throws `key_file.invalid`, or `key_file.passphrase_wrong` when that does not open it. */
export async function openKeyFile(bytes: Uint8Array, passphrase?: string): Promise<PublisherKey> {
  const file = parseKeyFile(bytes);
  const seed = file.locked ? await unlockSeed(file, passphrase) : Buffer.from(file.privateKey, "base64");
  if (seed.byteLength !== 32)
    throw fault("key_file.invalid", `expected a private key of 32 bytes, found ${seed.byteLength}`);
  const key = publisherKeyFromSeed(seed);
  if (key.publicKey !== file.publicKey || key.keyId !== file.keyId) {
    throw fault("key_file.invalid", "expected the private key of publicKey and keyId, found that of another");
  }
  return key;
}

/** Whether a key file needs a passphrase, so that a program knows whether to ask. */
export function isLocked(bytes: Uint8Array): boolean {
  return parseKeyFile(bytes).locked;
}

const kind = "gatehouse-publisher-key";
const common = { kind: z.literal(kind), schema: z.literal(1), keyId: z.string(), publicKey: z.string() };
const keyFile = z.discriminatedUnion("locked", [
  z.strictObject({ ...common, locked: z.literal(false), privateKey: z.base64() }),
  z.strictObject({
    ...common,
    locked: z.literal(true),
    argon2id: z.strictObject({
      salt: z.base64(),
      memory: z
        .int()
        .min(8)
        .max(1024 * 1024),
      passes: z.int().min(1).max(100),
      parallelism: z.int().min(1).max(16),
    }),
    aes256gcm: z.strictObject({ nonce: z.base64(), sealed: z.base64(), tag: z.base64() }),
  }),
]);
type KeyFile = z.output<typeof keyFile>;
type LockedKeyFile = Extract<KeyFile, { locked: true }>;

function parseKeyFile(bytes: Uint8Array): KeyFile {
  const read = parseStrictJsonBytes(bytes);
  if (!read.ok)
    throw fault("key_file.invalid", `expected strict JSON, found a fault at character ${read.at}: ${read.reason}`);
  const parsed = keyFile.safeParse(read.value);
  if (parsed.success) return parsed.data;
  const at = `/${parsed.error.issues[0]?.path.join("/") ?? ""}`;
  throw fault(
    "key_file.invalid",
    `expected a key file made by \`gatehouse plugin keygen\`, found another form at ${at}`,
  );
}

async function lockSeed(seed: Uint8Array, passphrase: string, publicKey: string) {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", await deriveKey(passphrase, salt, cost), nonce);
  cipher.setAAD(Buffer.from(publicKey));
  const sealed = Buffer.concat([cipher.update(seed), cipher.final()]);
  return {
    locked: true,
    argon2id: { salt: base64(salt), ...cost },
    aes256gcm: { nonce: base64(nonce), sealed: base64(sealed), tag: base64(cipher.getAuthTag()) },
  };
}

async function unlockSeed(file: LockedKeyFile, passphrase: string | undefined): Promise<Buffer> {
  if (passphrase === undefined)
    throw fault("key_file.passphrase_wrong", "expected the passphrase of the file, found none");
  const { salt, ...by } = file.argon2id;
  const { nonce, sealed, tag } = file.aes256gcm;
  try {
    const key = await deriveKey(passphrase, Buffer.from(salt, "base64"), by);
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(file.publicKey));
    decipher.setAuthTag(Buffer.from(tag, "base64"));
    return Buffer.concat([decipher.update(Buffer.from(sealed, "base64")), decipher.final()]);
  } catch (cause) {
    throw fault("key_file.passphrase_wrong", "expected the passphrase of the file, found another, or a changed file", {
      cause,
    });
  }
}

function deriveKey(passphrase: string, salt: Uint8Array, by: { memory: number; passes: number; parallelism: number }) {
  return argon2Later("argon2id", {
    message: Buffer.from(passphrase.normalize("NFC")),
    nonce: salt,
    tagLength: 32,
    ...by,
  });
}

const argon2Later = promisify(argon2);

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
