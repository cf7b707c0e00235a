import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StagedArtifact } from "@gatehouse/sandbox";
import { Random } from "../support/random.ts";
import { stopMs, stopped } from "../support/stopped.ts";
import type { PlaceOrder } from "./place-report.ts";
import { allGone, allRun, findLauncher, isDead, survivors } from "./survivors.ts";

/** Far away: what ends here ends because of a death and not by its deadline. */
export const crowdLimits = {
  deadlineMs: 10 * stopMs,
  outputBytes: 65_536,
  stderrBytes: 65_536,
  memoryBytes: 256 * 1024 * 1024,
};
const crowd = ["leaves-children", "becomes-sleep", "deaf", "burns-many", "daemon-double", "sleeps"];
/** Of those that stay: two that sleep, one that is deaf, nine that burn, one more that sleeps. */
const crowdSize = 13;

/** Kills the launcher while plugins run: they are gone when their callers hear of it, and the next action runs. */
export async function launcherDeaths(order: PlaceOrder, staged: StagedArtifact): Promise<string | undefined> {
  for (let round = 0; round < order.deaths; round += 1) {
    const actions = crowd.map((name) => staged.start(name, crowdLimits));
    for (const action of actions) action.send("");
    const idle = await aim(order, round);
    if (idle !== undefined) return idle;
    const launcher = findLauncher();
    if (launcher === undefined) return "there was no launcher";
    process.kill(launcher, "SIGKILL");
    const ends = await stopped("the ends of a launcher's plugins", Promise.all(actions.map(({ onEnd }) => onEnd)));
    const left = survivors(order).length;
    const odd = ends.find(({ outcome }) => !["killed", "failed_to_start", "exited"].includes(outcome));
    if (odd !== undefined) return `an action ended as ${odd.outcome}: ${odd.reason}`;
    if (left > 0) return `${left} processes outlived the launcher in round ${round}`;
    const next = staged.start("answers", crowdLimits);
    next.send("");
    const end = await stopped("the next action", next.onEnd);
    if (end.outcome !== "exited" || end.code !== 0)
      return `the next action ended as ${end.outcome}: ${end.reason} ${end.stderr}`;
  }
  return allGone(order);
}

/** Kills the server itself: the launcher, the plugins and the staged copies go too. */
export async function serverDeaths(order: PlaceOrder): Promise<string | undefined> {
  const runtime = join(order.runtime, "mortal");
  for (let round = 0; round < order.deaths; round += 1) {
    const words = [join(import.meta.dirname, "mortal.ts"), order.probe, runtime, ...crowd];
    const server = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
    await stopped("the start of a server", once(server.stdout, "data"));
    const launcher = findLauncher(server.pid);
    if (launcher === undefined) return "the server had no launcher";
    const idle = await aim(order, round);
    if (idle !== undefined) return idle;
    server.kill("SIGKILL");
    await once(server, "exit");
    const left = (await allGone(order)) ?? (await launcherGone(launcher, runtime));
    if (left !== undefined) return `after the server's end in round ${round}: ${left}`;
  }
  return undefined;
}

/** Some are killed while they start, at a moment the seed draws, and some when all of them run. */
async function aim(order: PlaceOrder, round: number): Promise<string | undefined> {
  if (round % 2 === 1) return allRun(order, crowdSize);
  await delay(new Random(order.seed, round).below(40));
  return undefined;
}

async function launcherGone(launcher: number, runtime: string): Promise<string | undefined> {
  for (const end = Date.now() + stopMs; ; await delay(10)) {
    const files = readdirSync(runtime);
    if (files.length === 0 && isDead(launcher)) return undefined;
    if (Date.now() > end) return `stopped: the launcher or its files are still there: ${files.join(", ")}`;
  }
}
