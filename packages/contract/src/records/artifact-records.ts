import * as z from "zod";
import { agentArchitectures } from "../node-names.ts";
import { defineKind, moment, type RecordOf, text } from "./record-kind.ts";

/** Whole, its bytes are the blob of its own digest; before, each part that is there is a blob of its own. */
export const artifactKind = defineKind({
  name: "artifact",
  says: "An artifact that plans put on hosts: its signed facts, which of its parts have arrived, and who brought it.",
  schema: z.strictObject({
    /** Follows from the digest, so that the same bytes cannot be there twice. */
    id: text,
    kind: z.enum(["binary", "release"]),
    name: text,
    version: text,
    architecture: z.enum(agentArchitectures),
    sha256: text,
    size: z.number(),
    publisher: text.exactOptional(),
    signature: z.strictObject({ keyId: text, ed25519: text }),
    /** In rising order of their numbers, each with its own digest. When the artifact is whole their blobs are nobody's. */
    parts: z.array(z.strictObject({ number: z.number(), sha256: text })),
    createdAt: moment,
    by: text,
    wholeAt: moment.exactOptional(),
  }),
  heardWith: "plan:read",
  kept: "until it is removed, or for a day when it has not arrived whole",
});
export type ArtifactRecord = RecordOf<typeof artifactKind>;
