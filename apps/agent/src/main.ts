#!/usr/bin/env node
import { inert, runProgram } from "@gatehouse/command-line";
import { agentCommands } from "./commands/agent-commands.ts";
import { agentProgram } from "./commands/agent-program.ts";
import { composeVerbs } from "./compose.ts";
import { openScreen } from "./host/open-screen.ts";
import { refuseEnvironment } from "./host/refuse-environment.ts";

const [out, err] = [openScreen(1), openScreen(2)];

// A rejection that nobody awaited would print source text, and so would an error outside of any promise.
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : "something that is not an error";
    err.write(
      `gatehouse-agent: defect: ${inert(said)}\n  This should not happen: please report it with the text above.\n`,
    );
    process.exit(1);
  });
}

process.exitCode = await runProgram(
  {
    program: agentProgram,
    commands: agentCommands,
    streams: { out, err, colour: out.isTTY === true && !process.env["NO_COLOR"] },
    surroundings: { environment: process.env, verbs: composeVerbs() },
    before: () => refuseEnvironment(process.env),
  },
  process.argv.slice(2),
);
