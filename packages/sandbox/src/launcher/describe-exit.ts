import type { ActionOutcome } from "../action.ts";

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: Error;
}

/** What is known beside it. */
export interface ExitContext {
  readonly stderr: string;
  /** Bytes after the last line end. */
  readonly unfinished: number;
  /** The most memory that was seen, as a share of what is allowed. */
  readonly memoryShare: number;
}

/** How a process dies that the kernel has refused more memory: it aborts, and the filter turns that into a fault. */
const memorySignals = ["SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL", "SIGTRAP"];
const memoryCodes = [128 + 4, 128 + 5, 128 + 6, 128 + 7, 128 + 11];

/** Says how a process that nobody ended has ended. */
export function describeExit(
  exit: Exit,
  { stderr, unfinished, memoryShare }: ExitContext,
): { outcome: ActionOutcome; reason: string } {
  if (exit.error !== undefined) return { outcome: "failed_to_start", reason: exit.error.message };
  const wrapper = /^(?:prlimit|setpriv|bwrap|env|\/usr\/bin\/env): .*/.exec(stderr)?.[0];
  if (exit.code !== 0 && wrapper !== undefined) return { outcome: "failed_to_start", reason: wrapper };
  // bubblewrap passes a signal on as 128 and its number.
  const killed = exit.signal === "SIGKILL" || exit.code === 137;
  if (killed)
    return { outcome: "killed", reason: "the kernel ended it; it used up its CPU time, or the host its memory" };
  const crashed = memorySignals.includes(exit.signal ?? "") || memoryCodes.includes(exit.code ?? 0);
  if (crashed && memoryShare > 0.5) return { outcome: "memory", reason: "the kernel refused it more memory" };
  const how = exit.signal === null ? `it ended with ${exit.code}` : `it was ended by ${exit.signal}`;
  return { outcome: "exited", reason: unfinished === 0 ? how : `${how}, and its last line had no line end` };
}
