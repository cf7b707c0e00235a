import { closeSync, openSync, readFileSync, readdirSync, readSync, statSync } from "node:fs";

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
 * Memory that only this process accounts for: private pages and shared ones without a file, in memory or swapped out, and the
 * tables that find them. Pages of programs and libraries are not counted; the kernel drops them when it needs room.
 */
export function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return 1024 * countedLines.reduce((sum, name) => sum + kilobytes(status, name), 0);
  } catch {
    return 0;
  }
}

const countedLines = ["RssAnon", "RssShmem", "VmSwap", "VmPTE"];

/** Memory maps of a process. Stops counting above `most`: a list of sixty thousand takes the kernel as many microseconds. */
export function countMaps(pid: number, most: number): number {
  let fd: number | undefined;
  let maps = 0;
  try {
    fd = openSync(`/proc/${pid}/maps`, "r");
    for (let size = -1; size !== 0 && maps <= most; ) {
      size = readSync(fd, mapsPart);
      for (let at = mapsPart.indexOf(10); at !== -1 && at < size; at = mapsPart.indexOf(10, at + 1)) maps += 1;
    }
  } catch {
    // It has ended, or is on its way to becoming another program.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
  return maps;
}

/** Open descriptors of a process; none when it has ended. */
export function countDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

const mapsPart = Buffer.alloc(64 * 1024);

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
