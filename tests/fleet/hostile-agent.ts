import { addToCount } from "@gatehouse/base";
import type { PretendHost } from "../support/pretend-host.ts";
import { Random } from "../support/random.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import { seededHost, seedHosts } from "./seeded-hosts.ts";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { FleetServer, findServerPort } from "./fleet-server.ts";
import { harms } from "./harms.ts";
import { drawCase, HostileLane, type PlannedCase } from "./hostile-lane.ts";
import { findOverreach, readKept } from "./kept.ts";
import type { SocketEnd } from "./lean-socket.ts";
import { SimulatedFleet } from "./simulated-fleet.ts";

const fleetSize = 200;
/** The first of them are calm agents that are online all the while, the next are hostile, the others are away. */
const calmAgents = 8;
const hostileAgents = 24;
/** Far above what the server takes with ten thousand agents, and far below what a leak of a kilobyte for each frame would take. */
const mostMemoryKib = 640 * 1024;
const healthEvery = 5_000;
/** What is taken and should not be is waited for until it is stopped: a few of those say it all. */
const enoughFailures = 5;

/**
 * Agents that were enrolled and turned hostile send whatever they like. At the end the server stands, nobody else noticed, and
 * nothing has changed but what each of them says of its own node.
 */
export const hostileAgent: Scenario<"load:fleet"> = {
  name: "hostile",
  run: async ({ seed, counts }) => {
    await buildIfOld();
    return inScratch((directory) => attack(directory, seed, counts.frames));
  },
};

async function attack(directory: string, seed: number, frames: number) {
  const tally = new Tally();
  await seedHosts(directory, { seed, count: fleetSize });
  const port = await findServerPort();
  const server = new FleetServer({ directory, port, beatSeconds: 10, windowSeconds: 2 });
  // The first start makes the owner and the server's own key; from then on nobody but nodes has anything to write.
  await server.start();
  await server.stop();
  const before = await readKept(directory);
  await server.start();
  const calm = new SimulatedFleet({ port, seed, first: 0, count: calmAgents, beatSeconds: 1 });
  try {
    calm.tell({ do: "beat" });
    calm.tell({ do: "connect", withinSeconds: 0 });
    await calm.until("the calm agents are welcomed", ({ online }) => online === calmAgents);
    await sendAll({ server, seed, frames, tally });
    await judgeCalm(calm, tally);
    if (!(await server.isHealthy())) tally.fail("the server is not healthy after the attack", harms.forsaken);
    const { now, most } = server.memory();
    if (most > mostMemoryKib) tally.fail(`the server took ${most} KiB, expected at most ${mostMemoryKib}`);
    tally.notes.push(`the server's memory ${Math.round(now / 1_024)} MiB, at most ${Math.round(most / 1_024)}`);
    const code = await server.stop();
    if (code !== 0) tally.fail(`the server ended with ${code}, expected 0`);
  } finally {
    await calm.close();
    server.kill();
  }
  for (const line of server.errors) tally.fail(`the server logged a failure: ${line}`);
  const mayChange = new Set(hosts(seed, calmAgents, hostileAgents).map(({ nodeId }) => nodeId));
  const { changes, overreach } = await findOverreach(directory, before, mayChange);
  for (const what of overreach) tally.fail(what, harms.overreach);
  tally.notes.push(`${changes} entries of the hostile nodes about themselves`);
  return tally.outcome();
}

function hosts(seed: number, first: number, count: number): PretendHost[] {
  return Array.from({ length: count }, (_, at) => seededHost(seed, first + at));
}

interface Attack {
  readonly server: FleetServer;
  readonly seed: number;
  readonly frames: number;
  readonly tally: Tally;
}

async function sendAll({ server, seed, frames, tally }: Attack): Promise<void> {
  const all = hosts(seed, 0, fleetSize);
  const ends = new Map<string, number>();
  let next = 0;
  let sent = 0;
  const lane = async (number: number) => {
    const host = all[calmAgents + number] as PretendHost;
    const others = all.filter((one) => one !== host);
    const agent = new HostileLane({ port: server.port, from: `127.0.1.${1 + number}` });
    while (sent < frames && tally.failed < enoughFailures) {
      const index = next;
      next += 1;
      const random = new Random(seed, index);
      const planned = drawCase(random);
      sent += planned.hostile.frames ?? 1;
      const end = await agent.commit(planned, { random, host, other: random.pick(others) });
      judge(planned, end, `#${index}`, tally);
      addToCount(ends, wordOf(planned, end), 1);
      if (index % healthEvery === 0 && !(await server.isHealthy())) tally.fail(`#${index}: the server is not healthy`);
    }
    agent.leave();
  };
  await Promise.all(Array.from({ length: hostileAgents }, (_, number) => lane(number)));
  tally.count("frames", sent);
  for (const [word, times] of [...ends].toSorted(([, a], [, b]) => b - a)) console.log(`  ${times} × ${word}`);
}

function judge(
  { stage, hostile }: PlannedCase,
  end: SocketEnd | "left" | undefined,
  which: string,
  tally: Tally,
): void {
  const what = `${which} ${stage}: ${hostile.name}`;
  if (hostile.ends && end === undefined) tally.fail(`${what} was taken, expected a refusal`, harms.overreach);
  if (end === undefined || end === "left") return;
  // A defect of the server, whoever met it; a connection that only breaks off tells nobody why.
  if (end.code === 1011 || end.reason === "server.internal") tally.fail(`${what} made the server fail`);
  if (end.code === 1006 && end.status === undefined) tally.fail(`${what} was cut without a word`);
}

function wordOf({ stage }: PlannedCase, end: SocketEnd | "left" | undefined): string {
  if (end === undefined) return "taken, the connection goes on";
  if (end === "left") return "left by the agent itself";
  return `${stage}: ${end.status ?? end.code} ${end.reason}`.trim();
}

/** Those who did nothing wrong have heard an answer to every beat, over the connection that they opened first. */
async function judgeCalm(calm: SimulatedFleet, tally: Tally): Promise<void> {
  calm.tell({ do: "hush" });
  const report = await calm.until(
    "the calm agents' beats are acknowledged",
    ({ unacknowledged }) => unacknowledged === 0,
  );
  if (report.welcomes !== calmAgents)
    tally.fail(`calm agents lost their connection: ${JSON.stringify(report.ends)}`, harms.forsaken);
  for (const what of report.wrong) tally.fail(what, harms.forsaken);
  tally.notes.push(`${report.beats} beats of ${calmAgents} calm agents acknowledged`);
}
