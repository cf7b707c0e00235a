import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { findProcess, processIds } from "./process-table.ts";

/**
 * A launcher marks what it starts with a limit that has no effect (real-time CPU time, of which a plugin gets none). It is
 * inherited, anybody can read it, and the filter lets no plugin change it: no process can lose the mark.
 */
export function newTag(): number {
  return randomInt(2 ** 40, 2 ** 47);
}

export function tagWord(tag: number): string {
  return `--rttime=${tag}`;
}

/** Ends everything that carries the mark, its groups first. Returns when nothing has been found for some looks, or the time is over. */
export async function killTagged(tag: number, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  const own = findProcess(process.pid)?.group;
  for (let quiet = 0; quiet < quietLooks && performance.now() < end; ) {
    const found = processIds().filter((pid) => isTagged(pid, tag));
    for (const pid of found) {
      const row = findProcess(pid);
      // What was forked a moment ago may still be in the group of whoever looks.
      if (row !== undefined && row.group > 1 && row.group !== own) kill(-row.group);
      kill(pid);
    }
    quiet = found.length === 0 ? quiet + 1 : 0;
    await delay(quietMs);
  }
}

/**
 * What was just forked has the launcher's command line, then that of prlimit, which both name the mark, then the limit
 * itself. Several looks a moment apart, because one may fall between two of them.
 */
const quietLooks = 3;
const quietMs = 10;

function isTagged(pid: number, tag: number): boolean {
  try {
    const row = findProcess(pid);
    if (row === undefined || row.state === "Z" || row.state === "X") return false;
    const limits = readFileSync(`/proc/${pid}/limits`, "latin1");
    const [, soft] = /^Max realtime timeout +([0-9]+) /m.exec(limits) ?? [];
    if (soft === String(tag)) return true;
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").includes(tagWord(tag));
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, which is all that was wanted.
  }
}
