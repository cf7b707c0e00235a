import { type OutputStreams, runProgram } from "@gatehouse/command-line";
import { asCalled } from "./called-as.ts";
import type { Command, Surroundings } from "./command.ts";
import { gatehouse } from "./program.ts";

export interface RunDeps extends Surroundings {
  readonly commands: readonly Command[];
  readonly streams: OutputStreams;
  /** How the program is called here; hints say it so. Without it, by its name. */
  readonly calledAs?: string;
}

/** Does what the arguments ask for and gives the exit code. */
export function run(deps: RunDeps, args: readonly string[]): Promise<number> {
  const { commands, streams, calledAs = gatehouse.name } = deps;
  const program = { ...gatehouse, hint: (todo: string) => asCalled(todo, calledAs) };
  return runProgram({ program, commands, streams, surroundings: deps }, args);
}
