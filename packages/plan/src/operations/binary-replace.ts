import { keyId, pluginId, sha256Hex } from "@gatehouse/contract";
import * as z from "zod";
import { absolutePath, byteCount, ed25519Signature } from "../fields.ts";
import { countOf } from "../say.ts";
import { defineOperation, diffInWords, lintLater } from "./descriptor.ts";

const schema = z.strictObject({
  kind: z.literal("binary.replace"),
  path: absolutePath,
  sha256: sha256Hex,
  size: byteCount,
  publisher: pluginId,
  signature: z.strictObject({ keyId, ed25519: ed25519Signature }),
});
type BinaryReplace = z.output<typeof schema>;

/** The bytes travel beside the plan, by their digest. The host also wants its publisher's signature over that digest. */
export const binaryReplace = defineOperation({
  kind: "binary.replace",
  capability: "host:binary",
  hosts: "later",
  says: "Replaces a program with one of the digest named, signed by its publisher.",
  schema,
  subject: ({ path }) => `binary:${path}`,
  state: null,
  words: replaceWords,
  lint: lintLater,
  diff: (operation) => diffInWords(replaceWords(operation)),
  work: null,
});

function replaceWords({ path, size, sha256, publisher }: BinaryReplace): string[] {
  return [`Replaces the program ${path}: ${countOf(size, "byte")}, sha256 ${sha256}, signed by ${publisher}.`];
}
