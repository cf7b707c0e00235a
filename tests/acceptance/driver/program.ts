import { type ChildProcess, spawn } from "node:child_process";
import { Lines } from "./lines.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Program {
  readonly out: Lines;
  readonly err: Lines;
  readonly ended: Promise<Ended>;
  readonly isRunning: () => boolean;
  readonly signal: (name: NodeJS.Signals) => void;
}

export interface ProgramOptions {
  readonly cwd?: string | undefined;
  /** The whole environment: nothing of the caller's leaks in. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a program as a person would from a shell, and collects what it says on its two outputs. */
export function startProgram(file: string, words: readonly string[], options: ProgramOptions): Program {
  const child: ChildProcess = spawn(file, words, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const out = new Lines();
  const err = new Lines();
  child.stdout?.setEncoding("utf8").on("data", (part: string) => out.add(part));
  child.stderr?.setEncoding("utf8").on("data", (part: string) => err.add(part));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    // `close` comes when the outputs are read to their ends, so nothing is missing from them afterwards.
    child.once("close", (code, signal) => {
      out.end();
      err.end();
      resolve({ code, signal });
    });
  });
  // A test that never looks at the end must not fail the run because of it; whoever awaits it still sees the error.
  ended.catch(() => undefined);
  return {
    out,
    err,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: (name) => void child.kill(name),
  };
}

/** Waits for a program that is expected to end by itself; ends it, and fails, when it does not. */
export async function endOf(program: Program, limitMs: number, what: string): Promise<Ended> {
  const timer = setTimeout(() => program.signal("SIGKILL"), limitMs);
  const ended = await program.ended;
  clearTimeout(timer);
  if (ended.signal !== "SIGKILL") return ended;
  throw new Error(
    `stopped after ${limitMs / 1_000} s: ${what} did not end; it said:\n${program.out.text}\n${program.err.text}`,
  );
}
