import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { stopMs } from "../support/stopped.ts";

/** How this suite's plugins are told from everybody else's processes, also from those of another suite beside it. */
export interface Mark {
  /** The probe's process name, drawn for each run of the suite. */
  readonly mark: string;
  /** How long its naps are, as the word on the command line of `sleep`. */
  readonly nap: string;
}

/** Goes into the environment of one action, and so of every process that comes of it, whatever it calls itself. */
export function markRun({ mark }: Mark, run: number): Record<string, string> {
  return { GATEHOUSE_RUN: `${mark}.${run}.` };
}

/** Processes of this suite's plugins that can still run a line of their own; of one action, when its number is given. */
export function survivors(of: Mark, run?: number): number[] {
  return processIds().filter((pid) => belongsTo(pid, of, run) && !isDead(pid) && !isDying(pid));
}

/** Waits until nothing of them is there at all, not even one that is on its way out. Says what is, when it is stopped. */
export async function allGone(of: Mark): Promise<string | undefined> {
  const left = () => processIds().filter((pid) => belongsTo(pid, of) && !isDead(pid)).length;
  return (await comesTrue(() => left() === 0)) ? undefined : `stopped: ${left()} processes are still there`;
}

/** Waits until so many of them run. Says how many did, when it is stopped. */
export async function allRun(of: Mark, count: number): Promise<string | undefined> {
  const found = () => survivors(of).length;
  return (await comesTrue(() => found() >= count)) ? undefined : `stopped: ${found()} of ${count} processes ran`;
}

/** Looks again and again until it is so; false when it was stopped. */
export async function comesTrue(isSo: () => boolean): Promise<boolean> {
  for (const end = Date.now() + stopMs; !isSo(); await delay(10)) if (Date.now() > end) return false;
  return true;
}

export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The launcher that this process, or the one named, has started. */
export function findLauncher(parent: number = process.pid): number | undefined {
  return processIds().find((pid) => {
    const isLauncher = read(pid, "cmdline").includes("sandbox/src/launcher/main.ts");
    return isLauncher && new RegExp(`^PPid:\\s+${parent}$`, "m").test(read(pid, "status"));
  });
}

/** One that is dead and waits for init to collect it does not run. */
export function isDead(pid: number): boolean {
  return !/^State:\s+[^ZX\s]/m.test(read(pid, "status"));
}

function belongsTo(pid: number, { mark, nap }: Mark, run?: number): boolean {
  const environment = read(pid, "environ");
  if (run !== undefined) return environment.includes(`GATEHOUSE_RUN=${mark}.${run}.`);
  return (
    environment.includes(`GATEHOUSE_RUN=${mark}.`) ||
    read(pid, "comm") === `${mark}\n` ||
    read(pid, "cmdline").split("\0").includes(nap)
  );
}

/**
 * Killed, and not yet gone: the kernel has the signal for it, or is taking it apart. On a busy machine that lasts, and it
 * runs none of its own lines any more.
 */
function isDying(pid: number): boolean {
  const pending = /^SigPnd:\s+([0-9a-f]+)$/m.exec(read(pid, "status"))?.[1] ?? "0";
  const stat = read(pid, "stat");
  const flags = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[6] ?? 0);
  return (BigInt(`0x${pending}`) & killBit) !== 0n || (flags & exiting) !== 0;
}

const killBit = 1n << 8n;
/** PF_EXITING */
const exiting = 4;

function processIds(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^[0-9]+$/.test(name) ? [Number(name)] : []));
}

/** Empty when the process is gone, or when it is somebody else's and does not show this. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
