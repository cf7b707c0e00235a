import { systemClock } from "@gatehouse/base";
import { drawMinutes, keepMinutes, type NodeHours } from "./metric-hours.ts";
import { type Before, openTelemetry, type TelemetryDeps, type TelemetryRows } from "./open-telemetry.ts";
import { hourMs } from "./pack-hour.ts";
import { type MemoryLogDisk, memoryLogs, newMemoryLogDisk } from "./memory-logs.ts";
import type { KnownPlace, Telemetry, Touch, WebhookAttempt } from "./telemetry.ts";

/** What outlives a memory telemetry. */
export interface MemoryTelemetryDisk {
  /** Packed, by node and number. */
  hours: Map<string, Map<number, Uint8Array>>;
  logs: MemoryLogDisk;
  touches: Map<string, Touch>;
  /** By address. */
  places: Map<string, KnownPlace>;
  /** Oldest first. */
  attempts: WebhookAttempt[];
}

export function newMemoryTelemetryDisk(): MemoryTelemetryDisk {
  return { hours: new Map(), logs: newMemoryLogDisk(), touches: new Map(), places: new Map(), attempts: [] };
}

/** Telemetry without a database, for tests of everything above it. It flushes when it is told to, and by itself only if given a timer. */
export function memoryTelemetry(
  deps: Partial<TelemetryDeps> = {},
  disk: MemoryTelemetryDisk = newMemoryTelemetryDisk(),
): Telemetry {
  return openTelemetry(memoryRows(disk), { clock: systemClock, every: () => () => undefined, ...deps });
}

function memoryRows(disk: MemoryTelemetryDisk): TelemetryRows {
  const { prune: pruneLogs, ...logs } = memoryLogs(disk.logs);
  return {
    ...logs,
    write: async ({ minutes, touches }) => {
      for (const { key, ...touch } of touches) {
        if ((disk.touches.get(key)?.at ?? -1) < touch.at) disk.touches.set(key, touch);
      }
      return minutes.reduce((damaged, { node, rows }) => damaged + keepMinutes(rows, hoursOf(disk, node)), 0);
    },
    lastTouched: async (keys) =>
      keys.flatMap((key) => {
        const touch = disk.touches.get(key);
        return touch === undefined ? [] : [{ key, ...touch }];
      }),
    measured: async (piece, waiting) => drawMinutes(piece, waiting, hoursOf(disk, piece.node)),
    keepPlace: async (known) => {
      if ((disk.places.get(known.address)?.at ?? -1) <= known.at) disk.places.set(known.address, known);
    },
    placesOf: async (service, addresses) =>
      addresses.flatMap((address) => {
        const known = disk.places.get(address);
        return known?.service === service ? [known] : [];
      }),
    keepAttempt: async (attempt, ofOne, ofAll) => {
      const own = [...disk.attempts, attempt].filter(({ webhook }) => webhook === attempt.webhook).slice(-ofOne);
      const kept = [...disk.attempts, attempt].filter((one) => one.webhook !== attempt.webhook || own.includes(one));
      disk.attempts = kept.slice(-ofAll);
    },
    attemptsOf: async (webhook) => disk.attempts.filter((one) => one.webhook === webhook).toReversed(),
    prune: async (before) => {
      for (const [node, hours] of disk.hours) {
        for (const hour of hours.keys()) if (hour < Math.floor(before.minutes / hourMs)) hours.delete(hour);
        if (hours.size === 0) disk.hours.delete(node);
      }
      pruneLogs({ before: before.logs, mostBytes: before.mostLogBytes, marksBefore: before.touches });
      for (const [key, { at }] of disk.touches) if (at < before.touches) disk.touches.delete(key);
      prunePlaces(disk, before);
      return false;
    },
    close: () => Promise.resolve(),
  };
}

function prunePlaces(disk: MemoryTelemetryDisk, before: Before): void {
  const newest = [...disk.places.values()]
    .filter(({ at }) => at >= before.places)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, before.mostPlaces);
  disk.places = new Map(newest.map((known) => [known.address, known]));
}

function hoursOf(disk: MemoryTelemetryDisk, node: string): NodeHours {
  return {
    read: (hour) => disk.hours.get(node)?.get(hour),
    write: (hour, packed) => {
      const hours = disk.hours.get(node) ?? new Map<number, Uint8Array>();
      disk.hours.set(node, hours.set(hour, packed));
    },
  };
}
