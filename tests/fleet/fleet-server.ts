import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { childEnvironment } from "../support/child-environment.ts";
import { stopMs } from "../support/stopped.ts";

const main = join(import.meta.dirname, "../../apps/server/src/main.ts");
const metricsToken = "fleet0metrics0token0fleet0metrics0token0fleet";
export const admin = { username: "fleet-admin", password: "correct-horse-battery-staple" };

export interface FleetServerOptions {
  readonly directory: string;
  readonly port: number;
  readonly beatSeconds: number;
  readonly windowSeconds: number;
  /** Settings besides. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The real server as a process of its own. It can be stopped and started again on the same data and the same port. */
export class FleetServer {
  readonly #options: FleetServerOptions;
  readonly #errors: string[] = [];
  #child: ChildProcess | undefined;

  constructor(options: FleetServerOptions) {
    this.#options = options;
  }

  get port(): number {
    return this.#options.port;
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Lines that tell of a failure of the server itself. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  async start(): Promise<void> {
    const { directory, port, beatSeconds, windowSeconds, settings } = this.#options;
    const env = childEnvironment({
      SERVICE_DATA_DIR: directory,
      SERVICE_LISTEN: `127.0.0.1:${port}`,
      SERVICE_API_RATE: "100000,100000",
      SERVICE_METRICS_TOKEN: metricsToken,
      SERVICE_LOG_FORMAT: "json",
      SERVICE_AGENT_BEAT_SECONDS: String(beatSeconds),
      SERVICE_AGENT_WINDOW_SECONDS: String(windowSeconds),
      SERVICE_ADMIN_USERNAME: admin.username,
      SERVICE_ADMIN_PASSWORD: admin.password,
      ...settings,
    });
    const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    const listening = Promise.withResolvers<void>();
    let rest = "";
    let last = "";
    const collect = (chunk: Buffer) => {
      const lines = `${rest}${chunk.toString("utf8")}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        last = line;
        if (line.includes('"message":"listening"')) listening.resolve();
        if (!line.startsWith("{") || line.includes('"level":"error"')) this.#errors.push(line.slice(0, 500));
      }
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("exit", () => listening.reject(new Error(`the server did not start: ${last} ${rest}`)));
    await listening.promise;
  }

  /** Its exit code after SIGTERM. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, "exit") as Promise<[number | null]>;
    child.kill("SIGTERM");
    return (await ended)[0];
  }

  /** For the end of a run that failed. */
  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  async isHealthy(): Promise<boolean> {
    const paths = ["/api/health", "/api/ready"];
    const answers = await Promise.all(
      paths.map((path) => fetch(`${this.base}${path}`, { signal: AbortSignal.timeout(stopMs) })),
    );
    return answers.every(({ status }) => status === 200);
  }

  async metric(name: string): Promise<number> {
    const headers = { Authorization: `Bearer ${metricsToken}` };
    const answer = await fetch(`${this.base}/api/metrics`, { headers, signal: AbortSignal.timeout(stopMs) });
    const [, value] = new RegExp(`^${name} ([0-9.e+]+)$`, "m").exec(await answer.text()) ?? [];
    return Number(value);
  }

  /** Memory in KiB, now and at the most. */
  memory(): { readonly now: number; readonly most: number } {
    const text = readFileSync(`/proc/${this.#child?.pid}/status`, "utf8");
    const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]);
    return { now: of("VmRSS"), most: of("VmHWM") };
  }

  /** Seconds of a processor that it has taken since it started. */
  processorSeconds(): number {
    const text = readFileSync(`/proc/${this.#child?.pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }
}

/** What Linux shows times in, on every machine of today. */
const ticksPerSecond = 100;

/**
 * A free port below those that the kernel gives to clients: while the server is away thousands of agents dial its port, and one
 * of them would sooner or later be given that very port and be connected to itself.
 */
export async function findServerPort(): Promise<number> {
  for (let port = 15_000 + (process.pid % 10_000); ; port += 1) {
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
