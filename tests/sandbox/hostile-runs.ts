import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { StagedArtifact } from "@gatehouse/sandbox";
import { allowedLateMs } from "./late-goal.ts";
import type { Figures, PlaceOrder } from "./place-report.ts";
import { behaviours } from "./probe-list.ts";
import { descriptorsOf, findLauncher, survivors } from "./survivors.ts";

const lanes = 2;
const batch = 100;
const bareEvery = 5;
const memoryBytes = 64 * 1024 * 1024;
const names = Object.keys(behaviours);

export interface HostileResult {
  readonly figures: Figures;
  readonly surprises: readonly string[];
}

/** Once, and once more with the next seed when everything was gone too late: then both count for what was left behind. */
export async function hostileRuns(order: PlaceOrder, staged: StagedArtifact): Promise<HostileResult> {
  const first = await runOnce(order, staged);
  const { figures: before } = first;
  if (before.lateP99 <= allowedLateMs(before.bareP99)) return first;
  const { figures, surprises } = await runOnce({ ...order, seed: order.seed + 1 }, staged);
  return {
    surprises: [...first.surprises, ...surprises],
    figures: {
      ...figures,
      runs: before.runs + figures.runs,
      survivors: before.survivors + figures.survivors,
      leakedDescriptors: before.leakedDescriptors + figures.leakedDescriptors,
      surprises: before.surprises + figures.surprises,
      memoryShare: Math.max(before.memoryShare, figures.memoryShare),
      before: before.lateP99,
    },
  };
}

/** Plugins that misbehave, drawn by the seed, several at once. After each batch, when all of them have ended, nothing may be left. */
async function runOnce(order: PlaceOrder, staged: StagedArtifact): Promise<HostileResult> {
  const began = performance.now();
  const random = randomOf(order.seed);
  const late: number[] = [];
  const slowest = new Map<string, number>();
  const launches: number[] = [];
  const bare: number[] = [];
  const surprises: string[] = [];
  let survived = 0;
  let memoryShare = 0;
  let runs = 0;

  const one = async () => {
    const name = names[Math.floor(random() * names.length)] ?? "answers";
    const deadlineMs = name === "answers" ? 5_000 : 60 + Math.floor(random() * 300);
    const started = performance.now();
    const action = staged.start(name, {
      deadlineMs: endless(name) ? deadlineMs : 10_000,
      outputBytes: 65_536,
      stderrBytes: 16_384,
      memoryBytes,
    });
    action.send("");
    const end = await action.onEnd;
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

  let descriptors: number | undefined;
  while (runs < order.runs && performance.now() - began < order.seconds * 1_000) {
    const planned = Math.min(batch, order.runs - runs);
    let next = 0;
    const lane = async () => {
      while (next < planned) {
        next += 1;
        if (next % bareEvery === 0) bare.push(await bareKill(100));
        await one();
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    runs += planned;
    survived += survivors(order).length;
    // The first batch warms up; from then on the number must stand still.
    descriptors ??= openDescriptors();
  }
  const leakedDescriptors = Math.max(0, openDescriptors() - (descriptors ?? 0));
  return {
    surprises,
    figures: {
      runs,
      survivors: survived,
      leakedDescriptors,
      leakedFiles: filesIn(order.runtime) - expectedFiles,
      surprises: surprises.length,
      deadlines: late.length,
      lateP50: percentile(late, 0.5),
      lateP99: percentile(late, 0.99),
      lateMax: percentile(late, 1),
      before: null,
      slowest: [...slowest].toSorted(([, a], [, b]) => b - a).slice(0, 3),
      bareP50: percentile(bare, 0.5),
      bareP99: percentile(bare, 0.99),
      memoryShare,
      launchP50: percentile(launches, 0.5),
      launchP99: percentile(launches, 0.99),
      seconds: (performance.now() - began) / 1_000,
    },
  };
}

/** The run directory, the filter, one staged copy with its artifact. */
const expectedFiles = 4;

function filesIn(directory: string): number {
  return readdirSync(directory, { recursive: true }).length;
}

/** Those that end only by their deadline get a short one; the others need not be hurried to be ended. */
function endless(name: string): boolean {
  return behaviours[name]?.includes("deadline") ?? false;
}

function openDescriptors(): number {
  const launcher = findLauncher();
  return descriptorsOf(process.pid) + (launcher === undefined ? 0 : descriptorsOf(launcher));
}

/**
 * The least that ending a process costs on this machine at this moment: a plain child that sleeps, a timer, a signal to its
 * group, and its end. What a plugin's end costs is judged beside it.
 */
async function bareKill(deadlineMs: number): Promise<number> {
  const started = performance.now();
  const child = spawn("/usr/bin/sleep", ["60"], { detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const exited = once(child, "exit");
  await delay(deadlineMs);
  if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await exited;
  return performance.now() - started - deadlineMs;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A small generator of its own, so that a seed means the same on every platform. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
