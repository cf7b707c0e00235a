import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { StagedArtifact } from "@gatehouse/sandbox";
import { percentile } from "../support/percentile.ts";
import { stopMs } from "../support/stopped.ts";
import type { Figures, PlaceOrder } from "./place-report.ts";
import { everyBehaviour, plannedRun } from "./planned-run.ts";
import { behaviours } from "./probe-list.ts";
import { allGone, descriptorsOf, findLauncher, markRun, survivors } from "./survivors.ts";

const lanes = 2;
const bareEvery = 5;
const memoryBytes = 64 * 1024 * 1024;

export interface HostileResult {
  readonly figures: Figures;
  readonly surprises: readonly string[];
}

/** Plugins that misbehave, drawn by the seed, several at once. When an action's end is told, nothing of it may be left. */
export async function hostileRuns(order: PlaceOrder, staged: StagedArtifact): Promise<HostileResult> {
  const began = performance.now();
  const late: number[] = [];
  const slowest = new Map<string, number>();
  const launches: number[] = [];
  const bare: number[] = [];
  const surprises: string[] = [];
  const tried = new Set<string>();
  let survived = 0;
  let memoryShare = 0;

  const one = async (number: number) => {
    const { name, deadlineMs } = plannedRun(order.seed, number);
    tried.add(name);
    const started = performance.now();
    const limits = { deadlineMs, outputBytes: 65_536, stderrBytes: 16_384, memoryBytes };
    const action = staged.start(name, { ...limits, environment: markRun(order, number) });
    action.send("");
    const end = await action.onEnd;
    survived += survivors(order, number).length;
    const ms = performance.now() - started;
    if (end.outcome === "deadline") {
      late.push(ms - deadlineMs);
      slowest.set(name, Math.max(slowest.get(name) ?? 0, ms - deadlineMs));
    }
    if (name === "answers") launches.push(ms);
    memoryShare = Math.max(memoryShare, end.peakMemoryBytes / memoryBytes);
    if (!behaviours[name]?.includes(end.outcome))
      surprises.push(`${name} ended as ${end.outcome}: ${end.reason} ${end.stderr.slice(0, 120)}`);
  };

  const runTo = async (from: number, end: number) => {
    let next = from;
    const lane = async () => {
      while (next < end) {
        const number = next;
        next += 1;
        if (order.compares && number % bareEvery === 0) bare.push(await bareKill(100));
        await one(number);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };

  // Every behaviour once warms up; from then on the number of descriptors must stand still.
  await runTo(0, Math.min(everyBehaviour, order.runs));
  const descriptors = openDescriptors();
  await runTo(everyBehaviour, order.runs);
  const left = await allGone(order);
  if (left !== undefined) surprises.push(left);
  return {
    surprises,
    figures: {
      runs: order.runs,
      behaviours: tried.size,
      survivors: survived,
      leakedDescriptors: await descriptorsAbove(descriptors),
      leakedFiles: filesIn(order.runtime) - expectedFiles,
      deadlines: late.length,
      late: spread(late),
      slowest: [...slowest].toSorted(([, a], [, b]) => b - a).slice(0, 3),
      bare: spread(bare),
      memoryShare,
      launch: spread(launches),
      seconds: (performance.now() - began) / 1_000,
    },
  };
}

function spread(values: readonly number[]): Figures["late"] {
  const at = (share: number) => (values.length === 0 ? 0 : percentile(values, share));
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** The run directory, the filter, one staged copy with its artifact. */
const expectedFiles = 4;

function filesIn(directory: string): number {
  return readdirSync(directory, { recursive: true }).length;
}

function openDescriptors(): number {
  const launcher = findLauncher();
  return descriptorsOf(process.pid) + (launcher === undefined ? 0 : descriptorsOf(launcher));
}

/** How many more there are; a file that the launcher is reading just now is closed again, a leak is not. */
async function descriptorsAbove(before: number): Promise<number> {
  for (const end = Date.now() + stopMs; ; await delay(20)) {
    const more = Math.max(0, openDescriptors() - before);
    if (more === 0 || Date.now() > end) return more;
  }
}

/**
 * The least that ending a process costs on this machine at this moment: a plain child that sleeps, a timer, a signal to its
 * group, and its end. What a plugin's end costs is seen beside it.
 */
async function bareKill(deadlineMs: number): Promise<number> {
  const started = performance.now();
  const child = spawn("/usr/bin/sleep", ["60"], { detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const closed = once(child, "close");
  await delay(deadlineMs);
  if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await closed;
  return performance.now() - started - deadlineMs;
}
