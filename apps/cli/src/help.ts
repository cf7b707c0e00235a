import type { Command, Flags } from "./command.ts";
import { commonFlags } from "./parse-arguments.ts";

const columns = 100;

/** The help for nothing in particular, for a noun, or for one command. */
export function helpFor(commands: readonly Command[], topic: string): string {
  const command = commands.find(({ name }) => name === topic);
  const lines = command === undefined ? listHelp(commands, topic) : commandHelp(command);
  return `${lines.join("\n")}\n`;
}

function listHelp(commands: readonly Command[], noun: string): string[] {
  const listed = commands.filter(({ name }) => noun === "" || name.startsWith(`${noun} `));
  const width = Math.max(...listed.map(({ name }) => name.length));
  return [
    noun === ""
      ? "gatehouse is the command line of the Gatehouse control plane, for operators and publishers."
      : `gatehouse ${noun} has these commands:`,
    ...(noun === "" ? ["", "Usage: gatehouse NOUN VERB [options]", "", "Commands:"] : [""]),
    ...listed.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "Every command explains itself, with examples: gatehouse COMMAND --help",
    ...(noun === ""
      ? [
          "With --json a command prints one JSON document.",
          "Exit codes: 0 all is well, 1 the check failed or was refused, 2 the command was written wrongly.",
        ]
      : []),
  ];
}

function commandHelp(command: Command): string[] {
  const options =
    Object.keys(command.flags).length === 0 ? "[options]" : Object.entries(command.flags).map(usageOf).join(" ");
  return [
    `gatehouse ${command.name}: ${command.summary}`,
    "",
    `Usage: gatehouse ${command.name} ${options}`,
    ...command.about.flatMap((paragraph) => ["", ...wrap(paragraph, "")]),
    "",
    "Options:",
    ...flagLines({ ...command.flags, ...commonFlags }),
    "",
    "Examples:",
    ...command.examples.flatMap(({ run, why }) => [...wrap(`${why}:`, "  "), `    ${run}`]),
  ];
}

function usageOf([name, flag]: [string, Flags[string]]): string {
  return flag.value === undefined ? `[--${name}]` : `[--${name} ${flag.value}]`;
}

function flagLines(flags: Flags): string[] {
  const rows = Object.entries(flags).map(
    ([name, flag]) => [`--${name}${flag.value === undefined ? "" : ` ${flag.value}`}`, flag.about] as const,
  );
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, about]) => {
    const [first = "", ...rest] = wrap(about, " ".repeat(width + 4));
    return [`  ${name.padEnd(width)}  ${first.trimStart()}`, ...rest];
  });
}

/** Breaks at spaces; a word that is longer than a line stays whole, so that it can be copied. */
function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    const longer = line === indent ? indent + word : `${line} ${word}`;
    if (longer.length > columns && line !== indent) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
