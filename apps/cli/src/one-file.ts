import { fault } from "@gatehouse/contract";
import type { Command } from "./command.ts";

/** Commands that load what lies beside them in a checkout: programs of the store and of the sandbox, templates of plugins. */
export const checkoutCommands: readonly string[] = [
  "user reset-password",
  "plugin new",
  "plugin try",
  "audit verify",
  "audit prune",
  "state recover",
];

/** The commands of the program that is one file: those that it cannot do say so, before they touch anything. */
export function oneFileCommands(commands: readonly Command[]): Command[] {
  return commands.map((command) => (checkoutCommands.includes(command.name) ? refusing(command) : command));
}

function refusing(command: Command): Command {
  const detail = `gatehouse ${command.name} loads files that lie beside it in a checkout`;
  return { ...command, run: () => Promise.reject(fault("cli.checkout_needed", detail)) };
}
