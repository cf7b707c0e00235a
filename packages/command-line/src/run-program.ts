import type { CommandOf } from "./command.ts";
import { helpFor } from "./help.ts";
import { type OutputStreams, printFailure, printLater, printReport } from "./output.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { Program } from "./program.ts";

export interface ProgramDeps<S> {
  readonly program: Program;
  readonly commands: readonly CommandOf<S>[];
  readonly streams: OutputStreams;
  readonly surroundings: S;
  /** Throws when nothing at all may be done here. */
  readonly before?: () => void;
}

/** Does what the arguments ask for and gives the exit code: 0 all is well, 1 failed or refused, 2 written wrongly. */
export async function runProgram<S>(deps: ProgramDeps<S>, args: readonly string[]): Promise<number> {
  const { program, commands, streams } = deps;
  // Asked for before parsing, so that a mistake in the arguments is also told in the form that was wanted.
  const json = args.includes("--json");
  let exitWithout = 1;
  try {
    deps.before?.();
    const request = parseArguments(commands, args);
    if (request.kind === "help") {
      (request.asked ? streams.out : streams.err).write(helpFor(program, commands, request.topic));
      return request.asked ? 0 : 2;
    }
    exitWithout = request.command.exitWithout ?? 1;
    const report = await request.command.run(request.given, deps.surroundings);
    let code = printReport(streams, report, request.json);
    for await (const finding of report.later ?? []) {
      printLater(streams, finding, request.json);
      if (finding.ok === false) code = 1;
    }
    return code;
  } catch (error) {
    const code = printFailure(program, streams, error, json);
    return code === 1 ? exitWithout : code;
  }
}
