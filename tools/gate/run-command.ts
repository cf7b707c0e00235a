import { spawn } from "node:child_process";
import type { Readable } from "node:stream";

export interface CommandRun {
  /** The exit code; 1 when it was stopped at its time limit or could not be started. */
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
  /** Processor time of the command and of all it waited for; what it left to others, a container engine say, is not in it. */
  readonly cpuSeconds: number;
  readonly timedOut: boolean;
}

export interface CommandOptions {
  readonly limitSeconds: number;
  readonly echo?: (text: string) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it leaves the processor to whoever else wants it. */
  readonly yields?: boolean;
}

/** The shell's own `time` tells what Node cannot: the processor time of a child and its children. */
const timed = 'exec 4>&2; TIMEFORMAT="%U %S"; { time "$@" 2>&4 3>&- 4>&-; } 2>&3';

/**
 * A tenth of a processor that others want, and all of one that nobody does. A session may be scheduled as one, by a priority of its own;
 * where there is none, that of the process counts.
 */
const yielding = "{ echo 10 >/proc/self/autogroup; } 2>/dev/null; renice -n 10 $$ >/dev/null 2>&1; ";

/**
 * Runs a command to its end, or kills it and everything it started when its time is over. Output is kept, and also
 * handed on while it comes when `echo` is given.
 */
export function runCommand(command: readonly [string, ...string[]], options: CommandOptions): Promise<CommandRun> {
  const started = performance.now();
  return new Promise((done) => {
    let output = "";
    let times = "";
    let timedOut = false;
    // Its own process group, so that a server or a browser which a suite forgot ends with it.
    const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", ...options.env };
    const child = spawn("bash", ["-c", options.yields === true ? yielding + timed : timed, "bash", ...command], {
      detached: true,
      env,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    endWithUs(child.pid);
    const keep = (text: string) => {
      output += text;
      options.echo?.(text);
    };
    const [, out, err, time] = child.stdio as unknown as [null, Readable, Readable, Readable];
    out.setEncoding("utf8").on("data", keep);
    err.setEncoding("utf8").on("data", keep);
    time.setEncoding("utf8").on("data", (text: string) => (times += text));
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
    }, options.limitSeconds * 1000);
    child.on("error", (error) => keep(`${error.message}\n`));
    child.on("exit", () => {
      killGroup(child.pid);
      running.delete(child.pid);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      done({
        code: timedOut ? 1 : (code ?? 1),
        output,
        seconds: (performance.now() - started) / 1000,
        cpuSeconds: sumOf(times),
        timedOut,
      });
    });
  });
}

const running = new Set<number | undefined>();

/** A group of its own hears nothing of an interrupt from the keyboard: it is ended with whoever waits for it. */
function endWithUs(pid: number | undefined): void {
  running.add(pid);
  if (process.listeners("exit").includes(endAll)) return;
  process.on("exit", endAll);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
}

function endAll(): void {
  for (const pid of running) killGroup(pid);
}

/** `user system`, as the last line says; before it the shell may have said that there is no such command. */
function sumOf(times: string): number {
  const [user = 0, system = 0] = (times.trimEnd().split("\n").at(-1) ?? "").split(" ").map(Number);
  return Number.isFinite(user + system) ? user + system : 0;
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
