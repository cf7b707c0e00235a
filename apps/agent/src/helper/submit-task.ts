import type { JsonObject } from "@gatehouse/base";
import { channelLimits, controlFrames } from "@gatehouse/channel";
import * as z from "zod";
import type { HelperDeps } from "./helper-deps.ts";
import { bytesUpTo } from "./local-fields.ts";

/** The fields of the frame that asks for a change. */
export const taskFields = controlFrames.task.fields.omit({ t: true });

/** Names the parts that have not come; a change whose parts are all here is judged, and the refusal is thrown. */
export async function submitTask({ tasks }: HelperDeps, task: z.output<typeof taskFields>): Promise<JsonObject> {
  const { missing } = await tasks.submit(task);
  return { missing: missing.map(({ sha256, size }) => ({ sha256, size })) };
}

export const blobFields = z.strictObject({
  sha256: controlFrames.pull.fields.shape.sha256,
  offset: controlFrames.pull.fields.shape.offset,
  bytes: bytesUpTo(channelLimits.pullBytes),
});

/** A piece of a part that the submitted change names. */
export async function putBlob({ tasks }: HelperDeps, piece: z.output<typeof blobFields>): Promise<JsonObject> {
  await tasks.put(piece);
  return {};
}
