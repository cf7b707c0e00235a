import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StagedArtifact } from "@gatehouse/sandbox";
import type { PlaceOrder } from "./place-report.ts";
import { findLauncher, survivors } from "./survivors.ts";

const limits = { deadlineMs: 30_000, outputBytes: 65_536, stderrBytes: 65_536, memoryBytes: 256 * 1024 * 1024 };
const crowd = ["leaves-children", "becomes-sleep", "deaf", "burns-many", "daemon-double", "sleeps"];
const goneMs = 2_000;

/** Kills the launcher while plugins run: they die with it, their callers hear of it, and the next action runs. */
export async function launcherDeaths(order: PlaceOrder, staged: StagedArtifact): Promise<string | undefined> {
  for (let round = 0; round < order.deaths; round += 1) {
    const actions = crowd.map((name) => staged.start(name, limits));
    for (const action of actions) action.send("");
    // Some are killed while they start, some when they run.
    await delay(round * 3);
    const launcher = findLauncher();
    if (launcher === undefined) return "there was no launcher";
    process.kill(launcher, "SIGKILL");
    const ends = await Promise.all(actions.map(({ onEnd }) => onEnd));
    const odd = ends.find(({ outcome }) => !["killed", "failed_to_start", "exited"].includes(outcome));
    if (odd !== undefined) return `an action ended as ${odd.outcome}: ${odd.reason}`;
    const left = await gone(order);
    if (left > 0) return `${left} processes outlived the launcher in round ${round}`;
    const next = staged.start("answers", limits);
    next.send("");
    const end = await next.onEnd;
    if (end.outcome !== "exited" || end.code !== 0)
      return `the next action ended as ${end.outcome}: ${end.reason} ${end.stderr}`;
  }
  return undefined;
}

/** Kills the server itself: the launcher, the plugins and the staged copies go too. */
export async function serverDeaths(order: PlaceOrder): Promise<string | undefined> {
  for (let round = 0; round < order.deaths; round += 1) {
    const runtime = join(order.runtime, "mortal");
    const server = spawn(process.execPath, [join(import.meta.dirname, "mortal.ts"), order.probe, runtime, ...crowd], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await heard(server);
    const launcher = findLauncher(server.pid);
    await delay(round * 3);
    server.kill("SIGKILL");
    await once(server, "exit");
    const left = await gone(order);
    if (left > 0) return `${left} processes outlived the server in round ${round}`;
    const end = Date.now() + goneMs;
    while (readdirSync(runtime).length > 0 || isRunning(launcher)) {
      if (Date.now() > end) return `the launcher or its files outlived the server: ${readdirSync(runtime).join(", ")}`;
      await delay(10);
    }
  }
  return undefined;
}

async function heard(server: ChildProcess): Promise<void> {
  const timer = setTimeout(() => server.kill("SIGKILL"), 30_000);
  if (server.stdout !== null) await once(server.stdout, "data");
  clearTimeout(timer);
}

/** How many are left when a moment has passed. */
async function gone(order: PlaceOrder): Promise<number> {
  const end = Date.now() + goneMs;
  for (;;) {
    const left = survivors(order).length;
    if (left === 0 || Date.now() > end) return left;
    await delay(10);
  }
}

/** One that is dead and waits for init to collect it does not run. */
function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}
