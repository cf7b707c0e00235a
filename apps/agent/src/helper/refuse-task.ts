import { controlFrames } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import type * as z from "zod";
import type { HelperDeps } from "./helper-deps.ts";

/** The fields of the frame that asks for a change. */
export const taskFields = controlFrames.task.fields.omit({ t: true });

/** Whatever the ceiling says: this version knows no way in which root could let changes be approved, so that there are none. */
export async function refuseTask(deps: HelperDeps, { task }: z.output<typeof taskFields>): Promise<never> {
  if (deps.minutes.taskLines.take()) deps.log(`a change was refused: ceiling.off: ${task}`);
  throw fault("ceiling.off", "expected a host whose root has said who approves changes, found one that takes none");
}
