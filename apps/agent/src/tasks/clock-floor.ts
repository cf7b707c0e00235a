import { fault, isFault } from "@gatehouse/contract/faults";
import type { Vfs } from "@gatehouse/files";
import * as z from "zod";
import type { AgentPaths } from "../config.ts";
import { findJsonFile, type JsonFile, putJsonFile } from "../local/json-file.ts";
import type { Uptime } from "../local/uptime.ts";

const form = z.strictObject({
  schema: z.literal(1),
  /** Milliseconds since 1970: the host has been sure that it is not earlier. */
  wall: z.int().nonnegative().max(8_640_000_000_000_000),
  /** The uptime at that moment. Absent where the kernel tells none. */
  uptime: z.strictObject({ boot: z.string().max(64), ms: z.int().nonnegative() }).exactOptional(),
});

/** The latest time that the host has been sure of. It only grows, unless root of the host sets it anew. */
export type ClockFloor = z.output<typeof form>;

/** What the clocks say now. */
export interface ClockReading {
  readonly wall: number;
  readonly uptime: Uptime | undefined;
}

export interface ClockFloorPlace {
  readonly paths: Pick<AgentPaths, "clockFloor">;
  readonly owner: number;
  readonly vfs?: Vfs | undefined;
}

/** Undefined before the first change: then the host is sure only that it is later than the program. Throws for a damaged file. */
export function findClockFloor(place: ClockFloorPlace): ClockFloor | undefined {
  try {
    return findJsonFile(floorFile(place));
  } catch (error) {
    if (!isFault(error, "agent.file_unusable")) throw error;
    throw fault("journal.unsound", `${error.detail}; gatehouse-agent clock reset writes it anew`, { cause: error });
  }
}

export function putClockFloor(place: ClockFloorPlace, floor: ClockFloor): Promise<void> {
  return putJsonFile(floorFile(place), floor);
}

/**
 * What the host is sure of now: what it was sure of, and in the same run of the machine also the time that has passed since. So a
 * clock that is set back does not make anything last longer.
 */
export function floorNow(kept: ClockFloor | undefined, { wall, uptime }: ClockReading, madeAt: number): ClockFloor {
  const { wall: floor, uptime: then } = kept ?? { wall: madeAt };
  const passed = then !== undefined && then.boot === uptime?.boot ? Math.max(0, uptime.ms - then.ms) : 0;
  const latest = Math.max(wall, floor + passed, madeAt);
  return { schema: 1, wall: latest, ...(uptime === undefined ? {} : { uptime: { ...uptime } }) };
}

const minute = 60_000;

/** Often enough that a cut costs a minute, and seldom enough that nobody who asks a lot wears out the disk. */
export function isFloorDue(kept: ClockFloor | undefined, now: ClockFloor): boolean {
  return kept === undefined || kept.uptime?.boot !== now.uptime?.boot || now.wall - kept.wall >= minute;
}

/** What a clock may be behind the floor: it is set by small steps all the time. */
const mostBehind = 5 * minute;

/** Throws when no window of time can be judged by this clock. */
export function checkClock(wall: number, { wall: floor }: ClockFloor, madeAt: number): void {
  if (wall < madeAt) {
    throw fault("time.clock_unset", `expected ${time(madeAt)} or later, found ${time(wall)}`);
  }
  if (wall < floor - mostBehind) {
    throw fault("time.clock_behind", `expected ${time(floor - mostBehind)} or later, found ${time(wall)}`);
  }
}

function time(at: number): string {
  return new Date(at).toISOString();
}

function floorFile({ paths, owner, vfs }: ClockFloorPlace): JsonFile<ClockFloor> {
  return { path: paths.clockFloor, owner, mode: 0o600, form, vfs };
}
