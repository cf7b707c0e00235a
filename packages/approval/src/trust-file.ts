import { byteForm } from "@gatehouse/base";
import { keyId, pluginId, sha256Hex, visibleText } from "@gatehouse/contract";
import * as z from "zod";

export const trustFileLimits = {
  bytes: 64 * 1_024,
  persons: 64,
  keysOfPerson: 8,
  publishers: 32,
  keysOfPublisher: 4,
} as const;

const threshold = z.int().min(1, "must be 1 or more");

const trustedKey = z.strictObject({
  /** Follows from the key. */
  id: keyId,
  kind: z.enum(["ssh", "webauthn"]),
  /** The SSH blob in padded base64. */
  key: z.string(),
  /** False: a security key is believed without its PIN. */
  uv: z.boolean().optional(),
});

const publisherKey = z.strictObject({
  /** Follows from the key, as in bundles. */
  id: keyId,
  /** The 32 bytes of an Ed25519 key in padded base64. */
  key: z.string(),
});

/** Whom a host believes when a change is approved, version 1. What one field says about another is judged by `parseTrust`. */
export const trustFile = z.strictObject({
  schema: z.literal(1),
  epoch: z.int().min(1, "must be 1 or more"),
  /** The digest of the file before; null in the first one, and after root of the host has set it anew. */
  prev: sha256Hex.nullable(),
  persons: z
    .array(
      z.strictObject({
        name: visibleText(64),
        keys: z.array(trustedKey).min(1).max(trustFileLimits.keysOfPerson),
      }),
    )
    .min(1)
    .max(trustFileLimits.persons),
  /** How many persons it takes. */
  thresholds: z.strictObject({
    change: threshold,
    network: threshold,
    update: threshold,
    terminal: threshold,
    trust: threshold,
  }),
  /** Who may sign the programs of plans. */
  publishers: z
    .record(pluginId, z.strictObject({ keys: z.array(publisherKey).min(1).max(trustFileLimits.keysOfPublisher) }))
    .refine((all) => Object.keys(all).length <= trustFileLimits.publishers, {
      message: `must be at most ${trustFileLimits.publishers}`,
    }),
  /** For whom recordings are sealed: nobody in this version. */
  auditors: z.array(z.never()).max(0),
  /** Milliseconds since 1970; from then on the file approves nothing. */
  notAfter: z.int().min(1).optional(),
  /** Who has to confirm a change that could cut a host off. */
  confirm: z.strictObject({ network: z.enum(["path", "approver"]) }).optional(),
});
export type TrustFile = z.output<typeof trustFile>;

export function serialiseTrust(file: TrustFile): Uint8Array {
  return byteForm(file);
}
