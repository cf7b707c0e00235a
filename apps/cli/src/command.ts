import { commandDefiner, type CommandOf } from "@gatehouse/command-line";
import type { Terminal } from "./terminal/terminal.ts";

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

export type Command = CommandOf<Surroundings>;

/** A command whose `run` sees exactly the flags and arguments it declares. */
export const defineCommand = commandDefiner<Surroundings>();
