import { keyId, pluginId, sha256Hex } from "@gatehouse/contract";
import * as z from "zod";
import { absolutePath, byteCount, ed25519Signature } from "../fields.ts";
import { defineOperation } from "./descriptor.ts";

/** The bytes travel beside the plan, by their digest. The host also wants its publisher's signature over that digest. */
export const binaryReplace = defineOperation({
  kind: "binary.replace",
  capability: "host:binary",
  says: "Replaces a program with one of the digest named, signed by its publisher.",
  schema: z.strictObject({
    kind: z.literal("binary.replace"),
    path: absolutePath,
    sha256: sha256Hex,
    size: byteCount,
    publisher: pluginId,
    signature: z.strictObject({ keyId, ed25519: ed25519Signature }),
  }),
  subject: ({ path }) => `binary:${path}`,
});
