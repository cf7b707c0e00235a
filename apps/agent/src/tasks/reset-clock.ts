import type { Clock } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { Uptime } from "../local/uptime.ts";
import { type ClockFloorPlace, findClockFloor, putClockFloor } from "./clock-floor.ts";

export interface ResetClockDeps extends ClockFloorPlace {
  readonly clock: Pick<Clock, "now">;
  readonly findUptime: () => Uptime | undefined;
  readonly madeAt: number;
}

/** Root's word that the clock is right now, whatever the host was sure of before. What was used stays used. */
export async function resetClock(deps: ResetClockDeps): Promise<Report> {
  const wall = deps.clock.now();
  if (wall < deps.madeAt) {
    throw fault("time.clock_unset", `expected ${time(deps.madeAt)} or later, found ${time(wall)}`);
  }
  const before = describeFloor(deps);
  const uptime = deps.findUptime();
  await putClockFloor(deps, { schema: 1, wall, ...(uptime === undefined ? {} : { uptime: { ...uptime } }) });
  return {
    ok: true,
    lines: [
      `This host is sure of ${time(wall)} from now on.`,
      `Before: ${before}.`,
      "Approvals that were used here stay used.",
    ],
    json: { now: time(wall), before },
  };
}

function describeFloor(place: ClockFloorPlace): string {
  try {
    const floor = findClockFloor(place);
    return floor === undefined ? "nothing was written" : time(floor.wall);
  } catch (error) {
    if (!isFault(error, "journal.unsound")) throw error;
    return "the file was damaged";
  }
}

function time(at: number): string {
  return new Date(at).toISOString();
}
