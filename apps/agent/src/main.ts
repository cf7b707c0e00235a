#!/usr/bin/env node
import { runProgram } from "@gatehouse/command-line";
import { agentCommands } from "./commands/agent-commands.ts";
import { agentProgram } from "./commands/agent-program.ts";
import { composeVerbs } from "./compose.ts";
import { refuseEnvironment } from "./host/refuse-environment.ts";

// A rejection that nobody awaited would print source text; so would an error outside of any promise.
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : "something that is not an error";
    process.stderr.write(`gatehouse-agent: defect: ${JSON.stringify(said).slice(1, -1)}\n`);
    process.exit(1);
  });
}

const colour = process.stdout.isTTY && !process.env["NO_COLOR"];
process.exitCode = await runProgram(
  {
    program: agentProgram,
    commands: agentCommands,
    streams: { out: process.stdout, err: process.stderr, colour },
    surroundings: { environment: process.env, verbs: composeVerbs() },
    before: () => refuseEnvironment(process.env),
  },
  process.argv.slice(2),
);
