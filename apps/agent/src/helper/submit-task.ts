import type { JsonObject } from "@gatehouse/base";
import { channelLimits, controlFrames } from "@gatehouse/channel";
import * as z from "zod";
import type { HelperDeps } from "./helper-deps.ts";
import { getHostIdentity } from "../local/host-key.ts";
import { bytesUpTo } from "./local-fields.ts";
import { signOutcome } from "./sign-outcome.ts";

/** The fields of the frame that asks for a change. */
export const taskFields = controlFrames.task.fields.omit({ t: true });

/**
 * Names the parts that have not come, and where one goes on that has come in part; a change whose parts are all here is judged, and taken or the refusal thrown. One that was taken
 * before is taken, and with its outcome once it has ended.
 */
export async function submitTask(deps: HelperDeps, task: z.output<typeof taskFields>): Promise<JsonObject> {
  const { missing, taken } = await deps.tasks.submit(task);
  if (taken === undefined) return { missing: missing.map((part) => ({ ...part })) };
  if (taken.ended === undefined) return { taken: true };
  return { taken: true, outcome: signOutcome(getHostIdentity(deps), taken.ended) };
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
