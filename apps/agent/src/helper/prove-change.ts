import type { JsonObject } from "@gatehouse/base";
import { channelLimits, encodeBase64url } from "@gatehouse/channel";
import * as z from "zod";
import type { HelperDeps } from "./helper-deps.ts";
import { bytesUpTo } from "./local-fields.ts";

/** What the next hello has to carry; empty where nothing is to be proved. */
export async function getProbe({ changes }: HelperDeps): Promise<JsonObject> {
  const probe = await changes.probe();
  return { probe: probe === undefined ? "" : encodeBase64url(probe) };
}

/** Both messages as they went over the wire. */
export const proofFields = z.strictObject({
  hello: bytesUpTo(channelLimits.helloBytes),
  welcome: bytesUpTo(channelLimits.helloBytes),
});

export async function takeProof({ changes }: HelperDeps, proof: z.output<typeof proofFields>): Promise<JsonObject> {
  await changes.prove(proof);
  return {};
}
