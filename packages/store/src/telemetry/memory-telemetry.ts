import { systemClock } from "@gatehouse/base";
import { openTelemetry, type TelemetryDeps, type TelemetryRows } from "./open-telemetry.ts";
import {
  type LogLine,
  type Range,
  type Sample,
  type Telemetry,
  telemetryLimits,
  type TelemetryPage,
  type Touch,
} from "./telemetry.ts";

/** What outlives a memory telemetry. */
export interface MemoryTelemetryDisk {
  samples: Sample[];
  logs: LogLine[];
  touches: Map<string, Touch>;
}

export function newMemoryTelemetryDisk(): MemoryTelemetryDisk {
  return { samples: [], logs: [], touches: new Map() };
}

/** Telemetry without a database, for tests of everything above it. It flushes when it is told to, and by itself only if given a timer. */
export function memoryTelemetry(
  deps: Partial<TelemetryDeps> = {},
  disk: MemoryTelemetryDisk = newMemoryTelemetryDisk(),
): Telemetry {
  return openTelemetry(memoryRows(disk), { clock: systemClock, every: () => () => undefined, ...deps });
}

function memoryRows(disk: MemoryTelemetryDisk): TelemetryRows {
  return {
    write: async ({ samples, logs, touches }) => {
      disk.samples.push(...samples);
      disk.logs.push(...logs);
      for (const { key, ...touch } of touches) {
        if ((disk.touches.get(key)?.at ?? -1) < touch.at) disk.touches.set(key, touch);
      }
    },
    lastTouched: async (keys) =>
      keys.flatMap((key) => {
        const touch = disk.touches.get(key);
        return touch === undefined ? [] : [{ key, ...touch }];
      }),
    samples: async ({ node, name, ...range }) =>
      page(
        disk.samples.filter((row) => row.node === node && row.name === name),
        range,
      ),
    logs: async ({ of, ...range }) =>
      page(
        disk.logs.filter(({ node, unit }) => node === (of?.node ?? node) && unit === (of?.unit ?? unit)),
        range,
      ),
    prune: async (before) => {
      disk.samples = disk.samples.filter(({ at }) => at >= before.samples);
      disk.logs = disk.logs.filter(({ at }) => at >= before.logs);
      for (const [key, { at }] of disk.touches) if (at < before.touches) disk.touches.delete(key);
      return false;
    },
    close: () => Promise.resolve(),
  };
}

function page<Row extends { readonly at: number }>(rows: readonly Row[], range: Range): TelemetryPage<Row> {
  const { from = 0, to = Number.POSITIVE_INFINITY, limit } = range;
  const found = rows.filter(({ at }) => at >= from && at < to);
  const newestFirst = found.toReversed().sort((a, b) => b.at - a.at);
  const { counted } = telemetryLimits;
  return { items: newestFirst.slice(0, limit), total: found.length > counted ? { atLeast: counted } : found.length };
}
