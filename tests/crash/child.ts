import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../support/child-environment.ts";
import type { Place } from "./model.ts";

/** What a client process said before it ended, in order. */
export interface Said {
  readonly lines: readonly string[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface Child {
  readonly pid: number;
  /** Resolves at the first line that begins like this, or when the process ends. */
  heard(beginning: string): Promise<boolean>;
  /** The same for lines that are yet to come. */
  next(beginning: string): Promise<boolean>;
  kill(): void;
  readonly ended: Promise<Said>;
}

/** Starts one of the scripts beside this file. */
export function startChild(script: string, args: readonly string[], env: Record<string, string> = {}): Child {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: childEnvironment({ UV_USE_IO_URING: "0", ...env }),
  });
  const lines: string[] = [];
  const listeners = new Set<{ beginning: string; resolve: (heard: boolean) => void }>();
  let rest = "";
  let stderr = "";
  let over = false;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = `${stderr}${text}`.slice(-4_000);
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const found = `${rest}${text}`.split("\n");
    rest = found.pop() ?? "";
    lines.push(...found);
    for (const listener of listeners) {
      if (found.some((line) => line.startsWith(listener.beginning))) listener.resolve(true);
    }
  });
  const ended = new Promise<Said>((resolve, reject) => {
    child.once("error", reject);
    // A line without its end was never heard whole; it does not count as said.
    child.once("close", (code, signal) => {
      over = true;
      for (const listener of listeners) listener.resolve(false);
      resolve({ lines, code, signal, stderr });
    });
  });
  const next = (beginning: string): Promise<boolean> =>
    new Promise((resolve) => {
      if (over) resolve(false);
      else listeners.add({ beginning, resolve });
    });
  return {
    pid: child.pid ?? -1,
    heard: async (beginning) => lines.some((line) => line.startsWith(beginning)) || next(beginning),
    next,
    kill: () => child.kill("SIGKILL"),
    ended,
  };
}

/** The acknowledged commits by position, and those that were refused because nothing was changed. */
export function readAnswers(lines: readonly string[]): { acknowledged: Map<number, Place>; refused: Place[] } {
  const acknowledged = new Map<number, Place>();
  const refused: Place[] = [];
  for (const line of lines) {
    const [word, first, second, third] = line.split(" ");
    if (word === "ack") acknowledged.set(Number(first), { run: Number(second), n: Number(third) });
    if (word === "refused" && third === "store.disk_full") refused.push({ run: Number(first), n: Number(second) });
  }
  return { acknowledged, refused };
}
