import { spawn } from "node:child_process";

export interface CommandRun {
  /** The exit code; 1 when it was stopped at its time limit or could not be started. */
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
  readonly timedOut: boolean;
}

/**
 * Runs a command to its end, or kills it and everything it started when its time is over. Output is kept, and also
 * handed on while it comes when `echo` is given.
 */
export function runCommand(
  command: readonly [string, ...string[]],
  options: { readonly limitSeconds: number; readonly echo?: (text: string) => void },
): Promise<CommandRun> {
  const started = performance.now();
  const [file, ...args] = command;
  return new Promise((done) => {
    let output = "";
    let timedOut = false;
    // Its own process group, so that a server or a browser which a suite forgot ends with it.
    const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" };
    const child = spawn(file, args, { detached: true, env, stdio: ["ignore", "pipe", "pipe"] });
    const keep = (text: string) => {
      output += text;
      options.echo?.(text);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
    }, options.limitSeconds * 1000);
    child.on("error", (error) => keep(`${error.message}\n`));
    child.on("exit", () => killGroup(child.pid));
    child.on("close", (code) => {
      clearTimeout(timer);
      done({ code: timedOut ? 1 : (code ?? 1), output, seconds: (performance.now() - started) / 1000, timedOut });
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // ESRCH: the group is gone, which is what was asked for.
    if ((error as { code?: string }).code !== "ESRCH") throw error;
  }
}

/** What a suite says about itself in its last plain line: `N passed, N failed[, N skipped]`. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly line: string;
}

const plain = /^(\d+) passed, (\d+) failed(, \d+ skipped)?$/;

/** The last plain line of an output; undefined when there is none. */
export function findTally(output: string): Tally | undefined {
  const line = output
    .split("\n")
    .findLast((candidate) => plain.test(candidate.trim()))
    ?.trim();
  const match = line === undefined ? null : plain.exec(line);
  if (line === undefined || match === null) return undefined;
  return { passed: Number(match[1]), failed: Number(match[2]), line };
}
