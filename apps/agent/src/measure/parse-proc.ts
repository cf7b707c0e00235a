/** Ticks of all processors together since the host came up. */
export interface ProcessorTime {
  readonly busy: number;
  readonly total: number;
}

/** Bytes of one interface since it is there. */
export interface Traffic {
  readonly received: number;
  readonly sent: number;
}

/**
 * Of /proc/stat. Time of guests stands in `user` and `nice` already, so that only the first eight columns count. Waiting
 * for a disk is idle time; what the hypervisor took for others is not.
 */
export function parseProcessorTime(stat: string): ProcessorTime | null {
  const line = linesOf(stat).find((each) => each.startsWith("cpu "));
  const ticks = wordsOf(line ?? "")
    .slice(1, 9)
    .map(parseCount);
  const [, , , idle, waiting = 0] = ticks;
  if (idle === undefined || ticks.some(Number.isNaN)) return null;
  const total = ticks.reduce((sum, each) => sum + each, 0);
  return { busy: total - idle - waiting, total };
}

/** Of /proc/stat, which has a line for each processor that is online. */
export function countCores(stat: string): number | null {
  const cores = linesOf(stat).filter((line) => /^cpu\d/.test(line)).length;
  return cores === 0 ? null : cores;
}

/** Of /proc/loadavg: the first is the average over a minute. */
export function parseLoad(loadavg: string): number | null {
  return parseDecimal(wordsOf(loadavg)[0]);
}

/** Of /proc/uptime, in seconds: the time asleep counts. */
export function parseUptimeSeconds(uptime: string): number | null {
  return parseDecimal(wordsOf(uptime)[0]);
}

/** Of /proc/meminfo, in bytes. Kernels before 3.14 do not say what is available. */
export function parseMemory(meminfo: string): { readonly total: number | null; readonly available: number | null } {
  const find = (name: string): number | null => {
    const line = linesOf(meminfo).find((each) => each.startsWith(`${name}:`));
    const kibibytes = parseCount(wordsOf(line ?? "")[1]);
    return Number.isNaN(kibibytes) ? null : kibibytes * 1024;
  };
  return { total: find("MemTotal"), available: find("MemAvailable") };
}

/** Of /proc/net/dev, by interface. Older kernels put no space behind the colon, and the name of an alias has one itself. */
export function parseTraffic(netDev: string): ReadonlyMap<string, Traffic> {
  return new Map(
    linesOf(netDev).flatMap((line) => {
      const colon = line.lastIndexOf(":");
      const counters = wordsOf(line.slice(colon + 1)).map(parseCount);
      const [received, sent] = [counters[0], counters[8]];
      if (colon < 0 || received === undefined || sent === undefined || Number.isNaN(received + sent)) return [];
      return [[line.slice(0, colon).trim(), { received, sent }] as const];
    }),
  );
}

const linesOf = (text: string): readonly string[] => text.split("\n");
const wordsOf = (line: string): readonly string[] => line.trim().split(/\s+/);

/** The kernel's counters have up to 64 bits. */
function parseCount(word: string | undefined): number {
  return word !== undefined && /^\d{1,20}$/.test(word) ? Number(word) : Number.NaN;
}

function parseDecimal(word: string | undefined): number | null {
  return word !== undefined && /^\d{1,12}(\.\d{1,9})?$/.test(word) ? Number(word) : null;
}
