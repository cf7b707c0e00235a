import * as z from "zod";
import { sha256Hex } from "./plugin-names.ts";

/** A part of a host that an operation replaces: `file:/etc/motd`. */
export const partSubject = z
  .string()
  .regex(/^[a-z]{2,16}:[\x21-\x7e]{1,520}$/, "must be the subject of an operation, such as file:/etc/motd");

/** The digest of what the host said of that part, or that it has none. Nobody types one: it comes from the host. */
export const partState = z.union([z.literal("absent"), sha256Hex]);

/** The public half of a key that the host keeps for a part, such as a WireGuard interface: 32 bytes in the one spelling of base64. */
export const partPublicKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, "must be a WireGuard public key: 32 bytes in base64");
