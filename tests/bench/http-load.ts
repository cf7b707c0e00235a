import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Served {
  readonly port: number;
  stop(): void;
}

/** Starts a script of this folder on the first core and waits for the port it prints. */
export async function serve(script: string, env: NodeJS.ProcessEnv = {}): Promise<Served> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn("taskset", ["-c", "0", process.execPath, path], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  return { port: await portOf(child), stop: () => child.kill("SIGKILL") };
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error("the child has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /\bport (\d+)$/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error("the server ended before it listened");
}

export interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly connections?: number;
  readonly headers?: readonly string[];
  /** A wrk script, for requests that carry a body. */
  readonly script?: string;
}

/** Requests a second that wrk, on the second core, gets answered; any answer but 2xx fails the bench. */
export async function load({ url, seconds, connections = 32, headers = [], script }: Load): Promise<number> {
  const more = [...headers.flatMap((header) => ["-H", header]), ...(script === undefined ? [] : ["-s", script])];
  const args = ["-c", "1", "wrk", "-t1", `-c${connections}`, `-d${seconds}s`, ...more, url];
  const { stdout } = await run("taskset", args);
  if (/Non-2xx/.test(stdout)) throw new Error(`not every answer was a success:\n${stdout}`);
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1];
  if (rate === undefined) throw new Error(`wrk said nothing:\n${stdout}`);
  return Number(rate);
}
