import { readFileSync, readdirSync, statSync } from "node:fs";

/** One process as /proc tells of it. */
export interface ProcessRow {
  readonly pid: number;
  readonly group: number;
  /** Z is dead and waits to be collected; it holds nothing. */
  readonly state: string;
  readonly niceness: number;
  readonly tasks: number;
}

/** Undefined when the process is gone. */
export function findProcess(pid: number): ProcessRow | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in brackets and may hold anything, brackets too.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "?", group, nice, tasks] = [fields[0], Number(fields[2]), Number(fields[16]), Number(fields[17])];
    return { pid, state, group, niceness: nice, tasks };
  } catch {
    return undefined;
  }
}

export function processIds(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^[0-9]+$/.test(name) ? [Number(name)] : []));
}

/**
 * Memory that only this process accounts for: private pages and shared ones without a file. Pages of programs and
 * libraries are not counted; the kernel drops them when it needs room.
 */
export function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return 1024 * (kilobytes(status, "RssAnon") + kilobytes(status, "RssShmem"));
  } catch {
    return 0;
  }
}

/**
 * Processes and threads of the user a plugin will run as. RLIMIT_NPROC counts them all, the server's own too.
 */
export function countTasksOfUser(becomesNobody: boolean): number {
  const uid = becomesNobody ? 65534 : process.getuid?.();
  let tasks = 0;
  for (const pid of processIds()) {
    try {
      if (statSync(`/proc/${pid}`).uid === uid) tasks += findProcess(pid)?.tasks ?? 0;
    } catch {
      // It ended while we looked.
    }
  }
  return tasks;
}

function kilobytes(status: string, name: string): number {
  const at = status.indexOf(`\n${name}:`);
  return at === -1 ? 0 : Number.parseInt(status.slice(at + name.length + 2), 10);
}
