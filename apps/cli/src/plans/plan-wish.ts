import type { Json } from "@gatehouse/base";
import { UsageError } from "@gatehouse/command-line";
import { planLifetimes } from "@gatehouse/contract/routes";
import { readPlanInput } from "../plugins/action-arguments.ts";
import { parsePluginId } from "../plugins/plugin-argument.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readOperations, type WishedOperation } from "./wish-operations.ts";

/** Who says what is to be changed: a plugin that is asked with an input, or a person. */
export type ReadWish =
  | { readonly plugin: string; readonly input: Json }
  | {
      /** Without them, what it does. */
      readonly title: string | undefined;
      readonly summary: string | undefined;
      readonly operations: readonly WishedOperation[];
    };

export interface GivenWish {
  readonly plugin?: string;
  readonly input?: string;
  readonly restart?: readonly string[];
  readonly write?: readonly string[];
  readonly replace?: readonly string[];
  readonly "update-agent"?: string;
  readonly "read-log"?: readonly string[];
  readonly lines?: string;
  readonly mode?: string;
  readonly owner?: string;
  readonly group?: string;
  readonly title?: string;
  readonly summary?: string;
}

const ofFiles = ["mode", "owner", "group"] as const;
const besideNothing = ["restart", "write", "replace", "read-log", "lines", ...ofFiles] as const;
const ofPeople = [...besideNothing, "update-agent", "title", "summary"] as const;

/** Looked at before anything is sent: a plan has one source. */
export async function readWish(
  given: GivenWish,
  { topic, terminal }: { readonly topic: string; readonly terminal: Terminal },
): Promise<ReadWish> {
  const refuse = (why: string) => new UsageError(why, topic);
  const { plugin, input } = given;
  if (plugin !== undefined) {
    const surplus = ofPeople.find((name) => given[name] !== undefined);
    if (surplus !== undefined) throw refuse(`--${surplus} is for plans of people; a plugin says it by itself`);
    if (input === undefined) throw refuse("--plugin needs its input: --input FILE");
    return { plugin: parsePluginId(plugin, topic), input: await readPlanInput(input, { topic, terminal }) };
  }
  if (input !== undefined) throw refuse("--input is for --plugin");
  const { restart = [], write = [], replace = [], "read-log": readLog = [], lines, mode, owner, group } = given;
  const updateAgent = given["update-agent"];
  if (updateAgent !== undefined) {
    const surplus = besideNothing.find((name) => given[name] !== undefined);
    if (surplus !== undefined) throw refuse(`--${surplus} is for another plan: hosts update their agent alone`);
  } else if (restart.length + write.length + replace.length + readLog.length === 0) {
    throw refuse(
      "nothing to do: write --plugin ID --input FILE, or --write, --replace, --restart and --read-log, or --update-agent",
    );
  }
  if (lines !== undefined && readLog.length === 0) throw refuse("--lines is for --read-log");
  const idle = write.length === 0 ? ofFiles.find((name) => given[name] !== undefined) : undefined;
  if (idle !== undefined) throw refuse(`--${idle} is for --write`);
  const operations = await readOperations(
    { restart, write, replace, updateAgent, readLog, lines, mode, owner, group },
    topic,
  );
  return { title: given.title, summary: given.summary, operations };
}

export function parseHours(text: string | undefined, topic: string): number | undefined {
  if (text === undefined) return undefined;
  const { least, most } = planLifetimes;
  const hours = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : Number.NaN;
  if (hours >= least && hours <= most) return hours;
  throw new UsageError(
    `--expires-in-hours must be a whole number from ${least} to ${most}; found ${JSON.stringify(text)}`,
    topic,
  );
}
