import { agentArchitectures, keyId, pluginId, sha256Hex } from "@gatehouse/contract";
import { encodeText, frame, u64 } from "@gatehouse/keys/frame";
import * as z from "zod";
import { byteCount, ed25519Signature, semanticVersion } from "./fields.ts";

/** What the bytes of an artifact are called by; it reaches no program. */
export const nameOfArtifact = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be 1 to 64 of a-z, 0-9 and . _ -, beginning with a letter or digit");

/** Every release of the agent has it. */
export const releaseName = "gatehouse-agent";

/** Who signed the facts of an artifact. */
export const artifactSignature = z.strictObject({ keyId, ed25519: ed25519Signature });

const bytes = {
  version: semanticVersion,
  architecture: z.enum(agentArchitectures),
  sha256: sha256Hex,
  size: byteCount,
};

/** What is said of a program by its publisher. */
export const binaryFacts = { name: nameOfArtifact, ...bytes, publisher: pluginId, signature: artifactSignature };

/** What is said of the agent by its release key. */
export const releaseFacts = { ...bytes, signature: artifactSignature };

/** An artifact with what is said of it, as an operation has it. */
export type ArtifactFacts =
  | ({ readonly kind: "binary" } & Readonly<z.output<z.ZodObject<typeof binaryFacts>>>)
  | ({ readonly kind: "release"; readonly name: typeof releaseName } & Readonly<
      z.output<z.ZodObject<typeof releaseFacts>>
    >);

/** What the signature of an artifact is over. The two kinds have different words in front, so that neither stands for the other. */
export function artifactMessage(facts: Unsigned<ArtifactFacts>): Uint8Array {
  const { sha256, size, name, version, architecture } = facts;
  const said = [Uint8Array.fromHex(sha256), u64(size), ...[name, version, architecture].map(encodeText)];
  return facts.kind === "binary"
    ? frame("gatehouse-binary-v1", ...said, encodeText(facts.publisher))
    : frame("gatehouse-release-v1", ...said);
}

type Unsigned<Facts> = Facts extends unknown ? Omit<Facts, "signature"> : never;
