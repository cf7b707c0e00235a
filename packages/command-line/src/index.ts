/**
 * Command line: a program's commands as rows of a table, and from the table its help, the reading of arguments, and what it prints.
 * Never knows a command of its own, and never reads anything but the arguments it is given.
 */
export {
  type Argument,
  type Arguments,
  commandDefiner,
  type CommandOf,
  type Flag,
  type Flags,
  type Given,
  type LaterFinding,
  type RawGiven,
  type Report,
} from "./command.ts";
export { helpFor } from "./help.ts";
export { inert, type OutputStreams, type Screen } from "./output.ts";
export { parseArguments } from "./parse-arguments.ts";
export type { Program } from "./program.ts";
export { type ProgramDeps, runProgram } from "./run-program.ts";
export { count, shortTime, table } from "./table.ts";
export { UsageError } from "./usage-error.ts";
