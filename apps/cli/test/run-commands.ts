import type { JsonObject } from "@gatehouse/base";
import { commands } from "../src/command-table.ts";
import type { Surroundings } from "../src/command.ts";
import { run } from "../src/run.ts";
import { noTerminal } from "./no-terminal.ts";

/** What a command printed and ended with, without a program of its own. Words are separated by single blanks. */
export async function runLine(line: string, { environment = {}, terminal = noTerminal }: Partial<Surroundings> = {}) {
  const text = { out: "", err: "" };
  const screen = (name: "out" | "err") => ({ write: (part: string) => void (text[name] += part) });
  const streams = { out: screen("out"), err: screen("err"), colour: false };
  const code = await run({ commands, environment, streams, terminal }, line.split(" "));
  return { code, ...text };
}

/** The document of a command with --json. */
export async function runJson(line: string, surroundings: Partial<Surroundings> = {}) {
  const { code, out } = await runLine(`${line} --json`, surroundings);
  return { code, found: JSON.parse(out) as JsonObject };
}
