#!/usr/bin/env node
import { commands } from "./command-table.ts";
import { run } from "./run.ts";
import { openTerminal } from "./terminal/open-terminal.ts";

const colour = process.stdout.isTTY && !process.env["NO_COLOR"];
process.exitCode = await run(
  {
    commands,
    environment: process.env,
    terminal: openTerminal(),
    streams: { out: process.stdout, err: process.stderr, colour },
  },
  process.argv.slice(2),
);
