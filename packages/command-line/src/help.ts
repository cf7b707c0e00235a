import { helpColumns, wrapText } from "@gatehouse/base";
import type { Arguments, CommandOf, Flags } from "./command.ts";
import type { Program } from "./program.ts";
import { commonFlags } from "./read-options.ts";

type Row = CommandOf<never>;

/** The help for nothing in particular, for a noun, or for one command. */
export function helpFor(program: Program, commands: readonly Row[], topic: string): string {
  const command = commands.find(({ name }) => name === topic);
  const lines = command === undefined ? listHelp(program, commands, topic) : commandHelp(program, command);
  return `${lines.join("\n")}\n`;
}

function listHelp(program: Program, commands: readonly Row[], noun: string): string[] {
  const listed = commands.filter(({ name, hidden }) => hidden !== true && (noun === "" || name.startsWith(`${noun} `)));
  const width = Math.max(...listed.map(({ name }) => name.length));
  return [
    noun === "" ? program.about : `${program.name} ${noun} has these commands:`,
    ...(noun === "" ? ["", `Usage: ${program.name} COMMAND [options]`, "", "Commands:"] : [""]),
    ...listed.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    `Every command explains itself, with examples: ${program.name} COMMAND --help`,
    ...(noun === "" ? program.closing : []),
  ];
}

function commandHelp(program: Program, command: Row): string[] {
  const { name } = command;
  const flags = shownFlags(command.flags);
  const words = Object.values(command.arguments).map(({ value, optional }) => (optional ? `[${value}]` : value));
  const options = Object.keys(flags).length === 0 ? ["[options]"] : Object.entries(flags).map(usageOf);
  return [
    `${program.name} ${name}: ${command.summary}`,
    "",
    ...hang(`Usage: ${program.name} ${name}`, [...words, ...options]),
    ...command.about.flatMap((paragraph) => ["", ...wrapText(paragraph)]),
    ...argumentLines(command.arguments),
    "",
    "Options:",
    ...flagLines({ ...flags, ...commonFlags }),
    "",
    "Examples:",
    ...command.examples.flatMap(({ run, why }) => [...wrapText(`${why}:`, "  "), `    ${run}`]),
  ];
}

function shownFlags(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, { hidden }]) => hidden !== true));
}

function usageOf([name, { value, list, required }]: [string, Flags[string]]): string {
  const option = `--${name}${value === undefined ? "" : ` ${value}`}`;
  return `${required === true ? option : `[${option}]`}${list === true ? "…" : ""}`;
}

function argumentLines(declared: Arguments): string[] {
  const rows = Object.values(declared).map(({ value, about }) => [value, about] as const);
  return rows.length === 0 ? [] : ["", "Arguments:", ...columnLines(rows)];
}

function flagLines(flags: Flags): string[] {
  return columnLines(
    Object.entries(flags).map(([name, { value, about, choices }]) => [
      `--${name}${value === undefined ? "" : ` ${value}`}`,
      choices === undefined ? about : `${about} One of: ${choices.join(", ")}.`,
    ]),
  );
}

function columnLines(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, about]) => {
    const [first = "", ...rest] = wrapText(about, " ".repeat(width + 4));
    return [`  ${name.padEnd(width)}  ${first.trimStart()}`, ...rest];
  });
}

/** Goes on, on further lines, below the first part that follows `start`; parts stay whole. */
function hang(start: string, parts: readonly string[]): string[] {
  const lines: string[] = [start];
  for (const part of parts) {
    const longer = `${lines.at(-1)} ${part}`;
    if (longer.length > helpColumns) lines.push(`${" ".repeat(start.length)} ${part}`);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}
