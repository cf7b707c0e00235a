/** What the launcher keeps to by itself; every other limit of an action comes with its `StartOptions` (contract 8). */
export const launcherLimits = {
  /** Processes and threads of one action together. */
  tasks: 64,
  /** Memory maps of all its processes. Each costs the kernel some hundred bytes that no process's size shows; Node has about 200. */
  maps: 32_768,
  /** Open descriptors of all its processes: with them go pipes, timers and watches, which are in no process's size either. */
  descriptors: 1_024,
  artifactBytes: 128 * 1024 * 1024,
} as const;

/** Limits the kernel keeps for each process, as prlimit takes them. */
export interface ProcessLimits {
  /**
   * Private writable memory. Node maps about 600 MiB that it never touches, so this only stops a single process that
   * grows at once; what an action really holds is measured (`memoryBytes`).
   */
  readonly dataBytes: number;
  /**
   * Addresses, touched or not: what the page tables of one process can come to. Node takes one GiB, and eight more for a
   * WebAssembly memory that has room; without room it takes a smaller one.
   */
  readonly addressBytes: number;
  readonly cpuSeconds: number;
  /** Counted by the kernel over everything this user runs, so it is what runs already and some. */
  readonly processes: number;
  readonly fileBytes: number;
  readonly descriptors: number;
  /** Also counts timers, each of which the kernel keeps a signal for. */
  readonly pendingSignals: number;
  /** The launcher's mark, see `tags.ts`. */
  readonly tag: number;
}

const dataBytes = 768 * 1024 * 1024;
const addressBytes = 16 * 1024 * 1024 * 1024;
const fileBytes = 16 * 1024 * 1024;
/** More than an action may have, so that the kernel's limit never hits one that keeps its own. */
const processesOnTop = 128;

export function processLimits(action: {
  readonly deadlineMs: number;
  readonly artifactBytes: number;
  readonly runningTasks: number;
  readonly tag: number;
}): ProcessLimits {
  return {
    dataBytes,
    addressBytes,
    cpuSeconds: Math.ceil(action.deadlineMs / 1_000) + 1,
    processes: action.runningTasks + processesOnTop,
    // bubblewrap copies the artifact into the sandbox under this limit. The plugin itself has nowhere to write.
    fileBytes: Math.max(fileBytes, action.artifactBytes),
    descriptors: 64,
    pendingSignals: 512,
    tag: action.tag,
  };
}
