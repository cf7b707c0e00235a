import { partPublicKey } from "@gatehouse/contract";
import * as z from "zod";

/**
 * The fields operations are made of. What they hold reaches programs as arguments and configuration lines, so each pattern
 * names the characters it lets through: no blank, quote, backslash, line end or leading `-` or `@` is among them (security
 * classes 45 and 81).
 */
export const port = z.int().min(1).max(65_535);

export const unitName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9:_.@-]*\.service$/, "must be the name of a systemd service, such as nginx.service");

/** Absolute and already normal: no `.`, `..` or empty part, so that it names one place in every reader. */
export const absolutePath = z
  .string()
  .max(512)
  .regex(
    /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._@+-]{1,128}){1,32}$/,
    "must be an absolute path of A-Z, a-z, 0-9 and . _ @ + - without . or .. parts",
  );

export const accountName = z.string().regex(/^[a-z_][a-z0-9_-]{0,31}$/, "must be the name of a user or group");

/** No set-user-id, set-group-id or sticky bit. */
export const fileMode = z.string().regex(/^0[0-7]{3}$/, "must be a mode such as 0644");

export const interfaceName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,14}$/, "must be the name of a network interface");

export const semanticVersion = z
  .string()
  .max(64)
  .regex(
    /^(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/,
    "must be a semantic version",
  );

/** 64 bytes in the one spelling of base64. */
export const ed25519Signature = z
  .string()
  .regex(/^[A-Za-z0-9+/]{85}[AQgw]==$/, "must be an Ed25519 signature: 64 bytes in base64");

export const wireguardKey = partPublicKey;

export const mostArtifactBytes = 512 * 1024 * 1024;

export const byteCount = z.int().min(1).max(mostArtifactBytes);

/** No item twice. */
export function isDistinct(items: readonly unknown[]): boolean {
  return new Set(items).size === items.length;
}
