import { type Flags, UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import type { Terminal } from "./terminal.ts";

/** The flag of every command that may need a password. */
export const passwordFlags = {
  "password-stdin": { about: "Read passwords from standard input, one a line, instead of asking for them." },
} as const satisfies Flags;

/**
 * Where passwords come from: typed unseen, or the lines of standard input. Never an argument and never the environment,
 * because other processes can read both.
 */
export interface PasswordSource {
  readonly areTyped: boolean;
  next(question: string): Promise<string>;
}

/** `most` is how many a command can use; more lines than that are a mistake, and one of them may be somebody's secret. */
export function openPasswordSource(terminal: Terminal, fromStandardInput: boolean, most: number): PasswordSource {
  if (!fromStandardInput) return { areTyped: true, next: (question) => askForOne(terminal, question) };
  let lines: string[] | undefined;
  return {
    areTyped: false,
    next: async () => {
      lines ??= splitLines(await terminal.readStandardInput(), most);
      const line = lines.shift();
      if (line === undefined) throw new UsageError("standard input holds too few lines: a password is missing");
      return line;
    },
  };
}

async function askForOne(terminal: Terminal, question: string): Promise<string> {
  const typed = await terminal.askHidden(question);
  if (typed === "") throw fault("cli.cancelled", "an empty line was entered");
  return typed;
}

function splitLines(input: string, most: number): string[] {
  const lines = input.replace(/\r?\n$/, "").split(/\r?\n/);
  if (lines.length > most) {
    throw new UsageError(
      `standard input holds ${lines.length} lines; at most ${most} are expected, one password a line`,
    );
  }
  if (lines.includes("")) throw new UsageError("standard input holds an empty line where a password is expected");
  return lines;
}
