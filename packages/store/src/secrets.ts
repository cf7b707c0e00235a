import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import { type MasterKey, masterKey } from "./master-key.ts";

/** Where a secret stands. Part of what is authenticated: a sealed value moved to another place does not open. */
export interface SecretPlace {
  readonly kind: string;
  readonly id: string;
  readonly field: string;
}

export interface Secrets {
  seal(place: SecretPlace, plain: Uint8Array | string): string;
  open(place: SecretPlace, sealed: string): Buffer;
}

const form = /^sealed1:([0-9a-f]{16}):([A-Za-z0-9_-]{16}):([A-Za-z0-9_-]{22,})$/;

/**
 * Seals secret fields before they are committed: AES-256-GCM under a key of the record kind, random nonce. Whole changes
 * are not sealed: one key with random nonces is good for 2^32 messages, which is ten days at 5,000 a second.
 */
export function openSecrets(master: MasterKey): Secrets {
  const keys = new Map<string, Buffer>();
  const keyOf = (kind: string): Buffer => {
    let key = keys.get(kind);
    if (key === undefined) {
      key = master.subkey(`secret/${kind}`);
      keys.set(kind, key);
    }
    return key;
  };
  return {
    seal: (place, plain) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", keyOf(place.kind), nonce).setAAD(boundTo(place, master.id));
      const bytes = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      return `sealed1:${master.id}:${nonce.toString("base64url")}:${bytes.toString("base64url")}`;
    },
    open: (place, sealed) => {
      const match = form.exec(sealed);
      const name = `${place.kind}/${place.id} ${place.field}`;
      if (match === null) throw fault("secret.unreadable", `${name} is not a sealed value`);
      const [, keyId, nonce, text] = match as unknown as [string, string, string, string];
      if (keyId !== master.id)
        throw fault("secret.unreadable", `${name} was sealed with key ${keyId}, ours is ${master.id}`);
      const bytes = Buffer.from(text, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", keyOf(place.kind), Buffer.from(nonce, "base64url"), {
        authTagLength: 16,
      });
      decipher.setAAD(boundTo(place, keyId)).setAuthTag(bytes.subarray(-16));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
      } catch (error) {
        throw fault("secret.unreadable", `${name} was altered or belongs to another place`, { cause: error });
      }
    },
  };
}

/** Secrets of a store that keeps nothing: their key ends with the process. */
export function ephemeralSecrets(): Secrets {
  return openSecrets(masterKey(randomBytes(32)));
}

function boundTo(place: SecretPlace, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([place.kind, place.id, place.field, keyId]));
}
