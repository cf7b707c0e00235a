import { type Json, parseStrictJsonBytes } from "@gatehouse/base";
import { UsageError } from "@gatehouse/command-line";
import { type ActionName, actionNames, isActionName } from "@gatehouse/contract";
import { actionLimits, protocolJsonLimits } from "@gatehouse/contract/broker";
import { readInput } from "../files/read-input.ts";

export const actionArgument = { value: "ACTION", about: `What to ask: ${actionNames.join(", ")}.` } as const;

export const inputFlag = {
  value: "FILE",
  about: "The recorded input of a plan: strict JSON, of the form that the plugin documents. For plan only.",
} as const;

/** The action and, for a plan, its recorded input. Looked at before anything is sent or started. */
export async function readAction(
  action: string,
  input: string | undefined,
  topic: string,
): Promise<{ readonly action: ActionName; readonly input?: Json }> {
  if (!isActionName(action)) {
    throw new UsageError(`ACTION takes ${actionNames.join(", ")}; found ${JSON.stringify(action)}`, topic);
  }
  if (action !== "plan") {
    if (input !== undefined) throw new UsageError(`--input is for plan; ${action} takes none`, topic);
    return { action };
  }
  if (input === undefined) throw new UsageError("plan needs its input: --input FILE", topic);
  const bytes = await readInput(input, { what: "--input", topic, most: actionLimits.inputBytes });
  const read = parseStrictJsonBytes(bytes, protocolJsonLimits);
  if (read.ok) return { action, input: read.value };
  throw new UsageError(
    `--input: ${input}: expected strict JSON, found: ${read.reason}, at character ${read.at}`,
    topic,
  );
}
