import { commands } from "../../../apps/cli/src/command-table.ts";
import { run } from "../../../apps/cli/src/run.ts";

/**
 * The door to the command line inside this process: thousands of argument lists, where a process for each would take minutes.
 * What a process does with its arguments before that, which is nothing, is tried with real ones.
 */
export const everyCommand = commands;

/** Somebody who presses the return key at every question. */
const nobody = {
  ask: () => Promise.resolve(""),
  show: () => Promise.resolve(),
  askHidden: () => Promise.resolve(""),
  readStandardInput: () => Promise.resolve(""),
};

export interface InProcess {
  readonly code: number;
  readonly said: string;
}

export async function runInProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<InProcess> {
  let said = "";
  const screen = { write: (text: string) => void (said += text) };
  const streams = { out: screen, err: screen, colour: false };
  const code = await run({ commands, environment, terminal: nobody, streams }, args);
  return { code, said };
}
