import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { childEnvironment } from "../support/child-environment.ts";
import { stopped } from "../support/stopped.ts";
import type { AttackedHost } from "./attacked-host.ts";
import { innerDoor } from "./helper-recorder.ts";
import { findStarted, mostMemory } from "./started-programs.ts";

/** Where an agent runs. */
export type AgentPlace = Pick<AttackedHost, "paths" | "environment" | "startedIn">;

/** An agent with its helper, as processes. */
export interface RunningAgent {
  /** What it has written to its log. */
  readonly lines: readonly string[];
  /** Says which process, when one ends that was not asked to. */
  readonly lost: Promise<string>;
  /** Programs that any of its processes has started. */
  started(): string[];
  /** The most memory that its processes have had, in KiB. */
  memory(): number;
  /** The processes by what they are. */
  processes(): ReadonlyMap<string, number>;
  /** Once none of its processes is left. */
  readonly ended: Promise<void>;
  /** Asks it to stop; what went wrong with that. */
  stop(): Promise<string[]>;
  kill(): void;
}

const source = join(import.meta.dirname, "agent-from-source.ts");

/** Both parts from their sources, in one process and without pauses. */
export function startFromSource(host: AttackedHost, form: "as it is" | "planted"): RunningAgent {
  const processes = new Processes(host);
  processes.start("the agent", process.execPath, [source, host.paths.root, form]);
  return processes;
}

/**
 * The one file that hosts run, as two processes; `command` ends with it, and what stands before starts it. It pauses as it does on a
 * host; a pause that nobody would wait for is cut by a restart.
 */
export async function startCompiled(host: AttackedHost, command: readonly string[]): Promise<RunningAgent> {
  const processes = new Processes(host);
  const [first = "", ...rest] = command;
  const place = ["--root", host.paths.root];
  const startPart = (fd: number) => processes.start("the helper", first, [...rest, "helper", ...place], fd);
  await startHelper(innerDoor(host.paths), startPart);
  const startNetworkPart = () => processes.start("the network part", first, [...rest, "run", ...place]);
  let networkPart = startNetworkPart();
  processes.onLine = (line) => {
    const seconds = Number(/; the next attempt is in (\d+) seconds$/.exec(line)?.[1] ?? 0);
    if (seconds <= mostPauseSeconds) return;
    void processes.stopOne(networkPart).then(() => (networkPart = startNetworkPart()));
  };
  return processes;
}

const mostPauseSeconds = 3;

/** How a helper is started: the program, with what stands before its own words. */
export type HelperCommand = readonly [string, ...string[]];

/** The helper at its usual door, and with `run` the network part: each is started once, and pauses as on a host. */
export async function startParts(
  host: AgentPlace,
  [first, ...rest]: HelperCommand,
  ...more: readonly "run"[]
): Promise<RunningAgent> {
  const processes = new Processes(host);
  const argsOf = (verb: string) => [...rest, verb, "--root", host.paths.root];
  await startHelper(host.paths.helperSocket, (fd) => processes.start("the helper", first, argsOf("helper"), fd));
  for (const verb of more) processes.start("the network part", first, argsOf(verb));
  return processes;
}

/** As systemd does it: the door is open before the helper is, and handed over as the third descriptor. */
async function startHelper(place: string, start: (door: number) => void): Promise<void> {
  const opener = createServer();
  const first = `${place}.first`;
  opener.listen(first);
  await once(opener, "listening");
  const { fd } = (opener as unknown as { readonly _handle: { readonly fd: number } })._handle;
  start(fd);
  // Whoever closes a socket that it has opened removes its name, and nobody but the helper may answer here.
  renameSync(first, place);
  opener.close();
  await once(opener, "close");
}

interface Started {
  readonly name: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  isAsked: boolean;
}

class Processes implements RunningAgent {
  readonly lines: string[] = [];
  onLine: (line: string) => void = () => undefined;
  readonly #host: AgentPlace;
  readonly #lost = Promise.withResolvers<string>();
  readonly #running = new Set<Started>();
  readonly #earlier: string[] = [];

  constructor(host: AgentPlace) {
    this.#host = host;
  }

  get ended(): Promise<void> {
    return Promise.all([...this.#running].map(({ ended }) => ended)).then(() => undefined);
  }

  get lost(): Promise<string> {
    return this.#lost.promise;
  }

  start(name: string, program: string, args: readonly string[], door?: number): Started {
    const doors = door === undefined ? [] : [door];
    const more = { ...this.#host.environment, ...(door === undefined ? {} : { LISTEN_FDS: "1" }) };
    const child = spawn(program, [...args], {
      env: childEnvironment(more),
      cwd: this.#host.startedIn,
      stdio: ["ignore", "pipe", "pipe", ...doors],
    });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const started = { name, child, ended, isAsked: false };
    this.#running.add(started);
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => this.#note(line));
    }
    void ended.then((code) => {
      this.#running.delete(started);
      if (!started.isAsked) this.#lost.resolve(`${name} has ended with ${code}: ${this.lines.at(-1) ?? ""}`);
    });
    return started;
  }

  started(): string[] {
    return [...this.#earlier, ...[...this.#running].flatMap(({ child }) => findStarted(child.pid ?? 0))];
  }

  memory(): number {
    return [...this.#running].reduce((sum, { child }) => sum + mostMemory(child.pid ?? 0), 0);
  }

  processes(): ReadonlyMap<string, number> {
    return new Map([...this.#running].map(({ name, child }) => [name, child.pid ?? 0]));
  }

  async stop(): Promise<string[]> {
    const codes = await Promise.all([...this.#running].map((each) => this.stopOne(each)));
    return codes.flat();
  }

  async stopOne(one: Started): Promise<string[]> {
    one.isAsked = true;
    this.#earlier.push(...findStarted(one.child.pid ?? 0));
    one.child.kill("SIGTERM");
    const code = await stopped(`${one.name} to end`, one.ended);
    return code === 0 ? [] : [`${one.name} has ended with ${code}, expected 0`];
  }

  kill(): void {
    for (const each of this.#running) {
      each.isAsked = true;
      each.child.kill("SIGKILL");
    }
  }

  #note(line: string): void {
    const said = line.startsWith('"') ? (JSON.parse(line) as string) : line;
    this.lines.push(said);
    this.onLine(said);
  }
}
