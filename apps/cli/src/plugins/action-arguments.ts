import { type Json, parseStrictJsonBytes } from "@gatehouse/base";
import { UsageError } from "@gatehouse/command-line";
import { type ActionName, actionNames, isActionName } from "@gatehouse/contract";
import { actionLimits, type PlanNode, planNodes, protocolJsonLimits } from "@gatehouse/contract/broker";
import { type InputRules, readInput } from "../files/read-input.ts";
import type { Terminal } from "../terminal/terminal.ts";

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
  return { action, input: await readJson(input, { what: "--input", topic, most: actionLimits.inputBytes }) };
}

export const nodesFlag = {
  value: "FILE",
  about:
    "The nodes that the plan is asked for: a JSON list of {id, name, tags, addresses, states}, as a server would send it. Without it, none. For plan only.",
} as const;

/** The nodes of a question, held to the form that a server keeps to. */
export async function readNodes(action: ActionName, file: string | undefined, topic: string): Promise<PlanNode[]> {
  if (file === undefined) return [];
  if (action !== "plan") throw new UsageError(`--nodes is for plan; ${action} takes none`, topic);
  const read = planNodes.safeParse(
    await readJson(file, { what: "--nodes", topic, most: actionLimits.questionBytes - actionLimits.inputBytes }),
  );
  if (read.success) return read.data;
  const { path = [], message = "is not as expected" } = read.error.issues[0] ?? {};
  throw new UsageError(`--nodes: ${file}: /${path.join("/")}: ${message}`, topic);
}

/** The recorded input of a plan, as it stands in the file or on standard input (`-`). */
export async function readPlanInput(
  input: string,
  { topic, terminal }: { readonly topic: string; readonly terminal: Pick<Terminal, "readStandardInput"> },
): Promise<Json> {
  const rules = { what: "--input", topic, most: actionLimits.inputBytes };
  if (input !== "-") return readJson(input, rules);
  return parseJson(new TextEncoder().encode(await terminal.readStandardInput(rules.most)), "standard input", rules);
}

async function readJson(file: string, rules: InputRules): Promise<Json> {
  return parseJson(await readInput(file, rules), file, rules);
}

function parseJson(bytes: Uint8Array, file: string, rules: Pick<InputRules, "what" | "topic">): Json {
  const read = parseStrictJsonBytes(bytes, protocolJsonLimits);
  if (read.ok) return read.value;
  throw new UsageError(
    `${rules.what}: ${file}: expected strict JSON, found: ${read.reason}, at character ${read.at}`,
    rules.topic,
  );
}
