import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@gatehouse/base";
import { findCards } from "./find-cards.ts";
import { openDiskReader, type FullestDisk, type ReadDiskDeps } from "./read-disk.ts";
import {
  countCores,
  parseLoad,
  parseMemory,
  parseProcessorTime,
  parseTraffic,
  parseUptimeSeconds,
  type ProcessorTime,
  type Traffic,
} from "./parse-proc.ts";

/** What a host shows at one moment. What it does not show is null. */
export interface HostReading {
  /** When, by a clock that nobody sets. */
  readonly monotonic: number;
  readonly processor: ProcessorTime | null;
  readonly cores: number | null;
  readonly load: number | null;
  readonly memory: { readonly total: number | null; readonly available: number | null };
  readonly uptimeSeconds: number | null;
  /** Of cards alone. */
  readonly traffic: ReadonlyMap<string, Traffic>;
  readonly disk: FullestDisk | null;
}

export interface ReadHostDeps extends ReadDiskDeps {
  readonly clock: Pick<Clock, "monotonic">;
}

/**
 * Reads what this host shows of itself. Its unit hides none of it: `ProtectProc=invisible` hides processes of others, and only
 * `ProcSubset=pid`, which it has not, would hide the files read here; `ProtectKernelTunables` leaves /sys readable, devices are
 * never opened, and `statfs` is in `@system-service`. `ProtectHome` alone takes something away: a file system of its own at
 * /home or /root is not mounted for the agent, so that its fullness is not told.
 */
export function openHostReader(deps: ReadHostDeps): () => Promise<HostReading> {
  const readDisk = openDiskReader(deps);
  const read = (file: string) => readKernelText(deps.root, file);
  return async () => {
    const monotonic = deps.clock.monotonic();
    // Counters first: everything behind may take its time.
    const stat = read("proc/stat");
    const traffic = parseTraffic(read("proc/net/dev"));
    const cards = findCards(deps.root, traffic.keys());
    return {
      monotonic,
      processor: parseProcessorTime(stat),
      cores: countCores(stat),
      load: parseLoad(read("proc/loadavg")),
      memory: parseMemory(read("proc/meminfo")),
      uptimeSeconds: parseUptimeSeconds(read("proc/uptime")),
      traffic: new Map([...traffic].filter(([name]) => cards.includes(name))),
      disk: await readDisk(),
    };
  };
}

/** Null where the kernel does not say it. */
export function readUptimeMs(root: string): number | null {
  const seconds = parseUptimeSeconds(readKernelText(root, "proc/uptime"));
  return seconds === null ? null : Math.round(seconds * 1_000);
}

function readKernelText(root: string, file: string): string {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    // A container may hide it: then nothing of it is known.
    return "";
  }
}
