import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { edgeLimits } from "../../apps/server/src/edge/limits.ts";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { type Served, serve } from "../bench/http-load.ts";
import { percentile } from "../support/percentile.ts";
import type { PretendHost } from "../support/pretend-host.ts";
import { inScratch } from "../support/scratch.ts";
import { seededHost, seedHosts } from "./seeded-hosts.ts";
import { until } from "../support/until.ts";
import { ApiProbe } from "./api-probe.ts";
import { FleetServer, findServerPort } from "./fleet-server.ts";
import { readEntriesSince } from "./kept.ts";
import { enrolAll, hasFacts, signIn } from "./people.ts";
import { SimulatedFleet } from "./simulated-fleet.ts";

export interface LoadOptions {
  readonly seed: number;
  readonly agents: number;
  readonly beatSeconds: number;
  readonly windowSeconds: number;
  /** How long they beat while it is measured; every one beats at least once, however short this is. */
  readonly seconds: number;
  /** All of them dial in the same moment; after the restart they come back as the protocol says. */
  readonly atOnce: boolean;
  /** Whether somebody uses the API beside the agents, and a bare server, to see what they cost. */
  readonly measures: boolean;
  readonly say: (line: string) => void;
}

/** Milliseconds of requests to the API, and of the same number to a bare node:http that ran beside it. */
export interface Answered {
  readonly p50: number;
  readonly p99: number;
  readonly bareP99: number;
  readonly failed: number;
}

export interface LoadResult {
  /** What is not as it has to be, each a sentence. */
  readonly failures: readonly string[];
  readonly beats: number;
  readonly kibPerAgent: number;
  readonly processorShare: number;
  readonly microsecondsPerBeat: number;
  readonly quiet: Answered;
  readonly beating: Answered;
  readonly returning: Answered;
  readonly connectedSeconds: number;
  /** Of a processor, for one agent from its first byte to the facts after its welcome. */
  readonly connectMicroseconds: number;
  /** From the signal that stops the server, and from the moment when it listens again. */
  readonly back: { readonly downSeconds: number; readonly most99: number; readonly all: number };
  readonly refused: string;
}

/** How many of the hosts are enrolled through the API, as all would be; the others' records lie there before the start. */
const enrolledForReal = 10;
/** What never happens, far above what the slowest machine takes for ten thousand agents. */
const limitMs = 10 * 60_000;

/** A fleet against the real server: it connects, beats, loses the server and comes back. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const room = roomForAgents();
  if (options.agents > room) {
    throw new Error(
      `expected a limit of open files that lets ${options.agents} agents in, found one for ${room}: ulimit -n`,
    );
  }
  await buildIfOld();
  return inScratch(async (directory) => {
    const { seed, agents, beatSeconds, windowSeconds } = options;
    const seeded = agents - enrolledForReal;
    await seedHosts(directory, { seed, count: seeded });
    const server = new FleetServer({ directory, port: await findServerPort(), beatSeconds, windowSeconds });
    const fleet = new SimulatedFleet({ port: server.port, seed, first: 0, count: agents, beatSeconds });
    const bare = options.measures ? await serve("../bench/http-bare.ts") : undefined;
    try {
      await server.start();
      const cookie = await signIn(server);
      const enrolled = Array.from({ length: enrolledForReal }, (_, at) => seededHost(seed, seeded + at));
      await enrolAll(server, cookie, enrolled);
      return await new Load(options, { directory, server, fleet, bare, cookie, enrolled }).run();
    } finally {
      bare?.stop();
      await fleet.close();
      server.kill();
    }
  });
}

/** The server gives agents what is left of its descriptors after its own and those for people. The simulator needs fewer. */
function roomForAgents(): number {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return Number(limit) - serverFiles - edgeLimits.connectionsForPeople;
}

/** What `main.ts` keeps for files of its own. */
const serverFiles = 256;

interface LoadParts {
  readonly directory: string;
  readonly server: FleetServer;
  readonly fleet: SimulatedFleet;
  readonly bare: Served | undefined;
  readonly cookie: string;
  /** The hosts that came through the API. */
  readonly enrolled: readonly PretendHost[];
}

class Load {
  readonly #options: LoadOptions;
  readonly #parts: LoadParts;
  readonly #failures: string[] = [];
  readonly #ours: ApiProbe;
  readonly #bare: ApiProbe;

  constructor(options: LoadOptions, parts: LoadParts) {
    this.#options = options;
    this.#parts = parts;
    this.#ours = new ApiProbe(`${parts.server.base}/api/auth/whoami`, { cookie: parts.cookie });
    this.#bare = new ApiProbe(`http://127.0.0.1:${parts.bare?.port}/`);
  }

  async run(): Promise<LoadResult> {
    const { agents, say } = this.#options;
    const { server } = this.#parts;
    const quiet = await this.#probed(() => delay(this.#options.measures ? this.#options.seconds * 1_000 : 0));
    const before = { memory: server.memory().now, processor: server.processorSeconds() };
    const connectedSeconds = await this.#connect();
    const connectMicroseconds = ((server.processorSeconds() - before.processor) * 1e6) / agents;
    say(`${agents} connected in ${connectedSeconds.toFixed(1)} s`);
    const kept = await this.#factsKept();
    const worked = { from: performance.now(), processor: server.processorSeconds(), beats: 0 };
    const beating = await this.#probed(async () => {
      worked.beats = await this.#beat();
    });
    const seconds = (performance.now() - worked.from) / 1_000;
    const processor = server.processorSeconds() - worked.processor;
    const kibPerAgent = (server.memory().now - before.memory) / agents;
    const beats = await this.#acknowledged("while the server runs", 0);
    await this.#unchanged(kept, "after the beats");
    say(`${beats} beats acknowledged, ${kibPerAgent.toFixed(1)} KiB of the server's memory for each agent`);
    const { back, returning } = await this.#restart();
    say(`all back ${back.all.toFixed(1)} s after the signal, the server was away for ${back.downSeconds.toFixed(1)} s`);
    const refused = await this.#finish(kept);
    return {
      failures: this.#failures,
      beats,
      kibPerAgent,
      processorShare: processor / seconds,
      microsecondsPerBeat: (processor * 1e6) / Math.max(1, worked.beats),
      quiet,
      beating,
      returning,
      connectedSeconds,
      connectMicroseconds,
      back,
      refused,
    };
  }

  async #connect(): Promise<number> {
    const { agents, windowSeconds, atOnce } = this.#options;
    const { fleet } = this.#parts;
    const began = performance.now();
    fleet.tell({ do: "beat" });
    fleet.tell({ do: "connect", withinSeconds: atOnce ? 0 : windowSeconds });
    await fleet.until(`${agents} agents are welcomed`, ({ online }) => online === agents, limitMs);
    return (performance.now() - began) / 1_000;
  }

  /** Those that were enrolled a moment ago say for the first time what they are; from then on nothing is to be written. */
  async #factsKept(): Promise<number> {
    const { server, cookie } = this.#parts;
    await until("the facts of the enrolled are kept", () => hasFacts(server, cookie, this.#parts.enrolled));
    return server.metric("gatehouse_audit_position");
  }

  /** One round of the wheel, at least. */
  async #beat(): Promise<number> {
    const { agents, seconds } = this.#options;
    const { fleet } = this.#parts;
    const { beats: before } = await fleet.report();
    await delay(seconds * 1_000);
    const { beats } = await fleet.until("every agent has beaten", (report) => report.beats >= before + agents, limitMs);
    return beats - before;
  }

  /** Every beat is answered, and none went under with a connection but those that are known to. */
  async #acknowledged(when: string, mayBeLost: number): Promise<number> {
    const { fleet } = this.#parts;
    fleet.tell({ do: "hush" });
    const report = await fleet.until(
      "every beat is acknowledged",
      ({ unacknowledged }) => unacknowledged === 0,
      limitMs,
    );
    fleet.tell({ do: "beat" });
    if (report.lostBeats > mayBeLost) {
      this.#failures.push(`${when} ${report.lostBeats} beats were lost: ${JSON.stringify(report.ends)}`);
    }
    return report.beats;
  }

  async #unchanged(kept: number, when: string): Promise<void> {
    const position = await this.#parts.server.metric("gatehouse_audit_position");
    if (position !== kept) this.#failures.push(`${when} the audit log stands at ${position}, expected ${kept}`);
  }

  async #restart(): Promise<Pick<LoadResult, "back" | "returning">> {
    const { agents } = this.#options;
    const { server, fleet } = this.#parts;
    fleet.tell({ do: "mark" });
    const from = Date.now();
    const code = await server.stop();
    if (code !== 0) this.#failures.push(`the server ended with ${code}, expected 0`);
    await server.start();
    const downSeconds = (Date.now() - from) / 1_000;
    let times: readonly number[] = [];
    const returning = await this.#probed(async () => {
      const report = await fleet.until("every agent is back", ({ online }) => online === agents, limitMs);
      times = report.welcomedAt;
    });
    const after = (share: number) => ((times[Math.ceil(agents * share) - 1] ?? Number.NaN) - from) / 1_000;
    return { back: { downSeconds, most99: after(0.99), all: after(1) }, returning };
  }

  /** After the end: who was refused why, and whether anything was written that nobody asked for. */
  async #finish(kept: number): Promise<string> {
    const { server, fleet, directory } = this.#parts;
    const { lostBeats } = await fleet.report();
    await this.#acknowledged("after the return", lostBeats);
    const report = await fleet.report();
    for (const what of report.wrong) this.#failures.push(what);
    for (const end of Object.keys(report.ends))
      if (/hello\.|frame\.|key\./.test(end)) this.#failures.push(`an agent was refused: ${end}`);
    fleet.tell({ do: "leave" });
    this.#ours.close();
    this.#bare.close();
    if (!(await server.isHealthy())) this.#failures.push("the server is not healthy at the end");
    const code = await server.stop();
    if (code !== 0) this.#failures.push(`the server ended with ${code}, expected 0`);
    for (const line of server.errors) this.#failures.push(`the server logged a failure: ${line}`);
    for (const { actor, action, subject } of await readEntriesSince(directory, kept)) {
      this.#failures.push(`nobody asked for it: ${actor} ${action} ${subject}`);
    }
    return Object.entries(report.ends)
      .map(([end, times]) => `${times} × ${end}`)
      .join(", ");
  }

  async #probed(work: () => Promise<void>): Promise<Answered> {
    if (this.#options.measures) for (const probe of [this.#ours, this.#bare]) probe.start();
    await work();
    const [{ times, failed }, bare] = [this.#ours.stop(), this.#bare.stop()];
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), bareP99: percentile(bare.times, 0.99), failed };
  }
}
