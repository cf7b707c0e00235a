import type { Command, Surroundings } from "./command.ts";
import { helpFor } from "./help.ts";
import { type OutputStreams, printFailure, printReport } from "./output.ts";
import { parseArguments } from "./parse-arguments.ts";

export interface RunDeps extends Surroundings {
  readonly commands: readonly Command[];
  readonly streams: OutputStreams;
  /** How the program is called here; hints say it so. Without it, by its name. */
  readonly calledAs?: string;
}

/** Does what the arguments ask for and gives the exit code: 0 all is well, 1 failed or refused, 2 written wrongly. */
export async function run(deps: RunDeps, args: readonly string[]): Promise<number> {
  const { commands, streams } = deps;
  // Asked for before parsing, so that a mistake in the arguments is also told in the form that was wanted.
  const json = args.includes("--json");
  try {
    const request = parseArguments(commands, args);
    if (request.kind === "help") {
      (request.asked ? streams.out : streams.err).write(helpFor(commands, request.topic));
      return request.asked ? 0 : 2;
    }
    return printReport(streams, await request.command.run(request.given, deps), request.json);
  } catch (error) {
    return printFailure(streams, error, json, deps.calledAs);
  }
}
