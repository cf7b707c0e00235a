#!/usr/bin/env node
import { calledAs } from "./called-as.ts";
import { commands } from "./command-table.ts";
import { oneFileCommands } from "./one-file.ts";
import { isOneFile } from "./own-program.ts";
import { run } from "./run.ts";
import { openTerminal } from "./terminal/open-terminal.ts";

// `npm run gatehouse` begins in the root of the checkout; what a person names lies where the person is.
const { npm_lifecycle_event: script, INIT_CWD: from } = process.env;
if (script === "gatehouse" && from !== undefined) process.chdir(from);

const colour = process.stdout.isTTY && !process.env["NO_COLOR"];
process.exitCode = await run(
  {
    commands: isOneFile ? oneFileCommands(commands) : commands,
    calledAs: calledAs({ environment: process.env, file: process.argv[1] }),
    environment: process.env,
    terminal: openTerminal(),
    streams: { out: process.stdout, err: process.stderr, colour },
  },
  process.argv.slice(2),
);
