import { type ChildProcess, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { childEnvironment } from "../../support/child-environment.ts";
import { stopMs } from "../../support/stopped.ts";
import { makeScratch } from "./scratch.ts";

export const repository = resolve(import.meta.dirname, "../../..");
/** Whose programs are attacked: ours, or those of the checkout that `--tree` names. */
export const attacked = process.env["SECURITY_TREE"] ?? repository;
const mainFile = join(attacked, "apps/server/src/main.ts");

export type LogLine = Readonly<Record<string, unknown>>;

/** The real server, as its own process on a free port with its own data directory. Ends with its scope. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  stdout(): string;
  stderr(): string;
  isAlive(): boolean;
  /** The line of the log about one request; waits for it. */
  lineAbout(requestId: string): Promise<LogLine>;
  /** Asks it to stop and gives its exit code. */
  stop(): Promise<number>;
  /** Ends it without a chance to tidy up. */
  kill(): Promise<void>;
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Kept when it is given; otherwise made, and removed at the end. */
  readonly dataDir?: string;
  /** Shell words that run before the server: `umask 000`. */
  readonly before?: string;
}

/** Enough for tests that do not test the limit. */
const generousRate = "100000,100000";

/** Whom a server of these tests makes at its first start. */
export const admin = { username: "admin", password: "correct-horse-battery-9f3c" } as const;

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const scratch = await makeScratch();
  const dataDir = options.dataDir ?? join(scratch.path, "data");
  const child = spawnServer({ ...options, dataDir });
  const output = collect(child);
  const listening = () => output.lines().find((line) => line["message"] === "listening");
  try {
    await output.until(() => listening() !== undefined);
  } catch (error) {
    child.kill("SIGKILL");
    await scratch[Symbol.asyncDispose]();
    throw new Error(`the server did not start: ${output.stderr()}${output.stdout()}`, { cause: error });
  }
  const exit = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return output.exited;
  };
  return {
    port: Number(listening()?.["port"]),
    pid: child.pid ?? 0,
    dataDir,
    stdout: output.stdout,
    stderr: output.stderr,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    lineAbout: async (requestId) => {
      const find = () => output.lineAbout(requestId);
      await output.until(() => find() !== undefined);
      return find() as LogLine;
    },
    stop: () => exit("SIGTERM"),
    kill: async () => void (await exit("SIGKILL")),
    [Symbol.asyncDispose]: async () => {
      await exit("SIGKILL");
      await scratch[Symbol.asyncDispose]();
    },
  };
}

/** Starts the server where a refusal is expected, and gives what it said. Stopped when it listens after all. */
export async function startRefused(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  await using scratch = await makeScratch();
  const child = spawnServer({ env, dataDir: join(scratch.path, "data") });
  const output = collect(child);
  const hasBegun = () => output.lines().some((line) => line["message"] === "listening");
  try {
    await output.until(() => hasBegun() || child.exitCode !== null);
  } finally {
    if (child.exitCode === null) child.kill("SIGKILL");
  }
  const code = await output.exited;
  return { code, stdout: output.stdout(), stderr: output.stderr() };
}

function spawnServer({ env = {}, dataDir, before }: ServerOptions & { dataDir: string }): ChildProcess {
  const settings = {
    SERVICE_LISTEN: "127.0.0.1:0",
    SERVICE_DATA_DIR: dataDir,
    // The default is relative, and would be whatever lies in the repository.
    SERVICE_PLUGIN_DIR: join(dataDir, "../no-plugins"),
    SERVICE_LOG_FORMAT: "json",
    SERVICE_ACCESS_LOG: "1",
    SERVICE_API_RATE: generousRate,
    // Plugins have the smallest share of the processors; on a busy machine a good one is late too. Older releases refuse it.
    ...(attacked === repository && { SERVICE_PLUGIN_DEADLINE_FACTOR: "12" }),
    SERVICE_ADMIN_USERNAME: admin.username,
    SERVICE_ADMIN_PASSWORD: admin.password,
    ...env,
  };
  const [file, args]: [string, string[]] =
    before === undefined
      ? [process.execPath, [mainFile]]
      : ["sh", ["-c", `${before}; exec "$0" "$@"`, process.execPath, mainFile]];
  // Nothing of our own environment: what the server knows is what the test says.
  return spawn(file, args, {
    env: childEnvironment(settings),
    cwd: attacked,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Keeps what a process writes and waits for things to be true of it. */
function collect(child: ChildProcess) {
  let stdout = "";
  let stderr = "";
  let parsed = 0;
  const lines: LogLine[] = [];
  const byRequest = new Map<unknown, LogLine>();
  const waiting = new Set<() => void>();
  const look = () => {
    for (const check of waiting) check();
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    look();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    look();
  });
  const exited = new Promise<number>((done) => {
    child.once("close", (code) => {
      done(code ?? -1);
      look();
    });
  });
  const readLines = (): readonly LogLine[] => {
    for (let end = stdout.indexOf("\n", parsed); end !== -1; end = stdout.indexOf("\n", parsed)) {
      const line = parseLine(stdout.slice(parsed, end));
      lines.push(line);
      // The first about a request, as somebody who reads from above would find it.
      if (!byRequest.has(line["requestId"])) byRequest.set(line["requestId"], line);
      parsed = end + 1;
    }
    return lines;
  };
  return {
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    lines: readLines,
    lineAbout: (requestId: string) => {
      readLines();
      return byRequest.get(requestId);
    },
    until: (isTrue: () => boolean) =>
      new Promise<void>((done, failed) => {
        const check = () => {
          const isOver = child.exitCode !== null || child.signalCode !== null;
          if (!isTrue() && !isOver) return;
          waiting.delete(check);
          clearTimeout(timer);
          if (isTrue()) done();
          else failed(new Error("the server ended"));
        };
        const timer = setTimeout(() => {
          waiting.delete(check);
          failed(new Error(`stopped after ${stopMs / 1_000} s`));
        }, stopMs);
        waiting.add(check);
        check();
      }),
  };
}

function parseLine(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    // The text format, or something that is not ours: found by looking at the text itself.
    return {
      unparsed: text,
      message: /\blistening\b/.test(text) ? "listening" : "",
      port: /\bport=(\d+)/.exec(text)?.[1],
    };
  }
}
