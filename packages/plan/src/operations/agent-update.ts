import { keyId, sha256Hex } from "@gatehouse/contract";
import * as z from "zod";
import { byteCount, ed25519Signature, semanticVersion } from "../fields.ts";
import { defineOperation } from "./descriptor.ts";

/** No plugin may draw it up: the agent is what holds plugins to their plans. The release key is compiled into the agent. */
export const agentUpdate = defineOperation({
  kind: "agent.update",
  capability: null,
  says: "Replaces the agent with a signed release.",
  schema: z.strictObject({
    kind: z.literal("agent.update"),
    version: semanticVersion,
    architecture: z.enum(["x64", "arm64"]),
    sha256: sha256Hex,
    size: byteCount,
    signature: z.strictObject({ keyId, ed25519: ed25519Signature }),
  }),
  subject: () => "agent:self",
});
