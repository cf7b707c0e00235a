import { findUptime } from "../../../apps/agent/src/local/uptime.ts";
import { putClockFloor } from "../../../apps/agent/src/tasks/clock-floor.ts";
import { helperUnit } from "../../lab/agent-on-host.ts";
import type { AttackedMachine } from "./attacked-machine.ts";

/** The clock was set back by so much, in this run of the machine: the host has been sure of a later time. */
export const setBack =
  (ms: number) =>
  async ({ paths }: AttackedMachine): Promise<void> => {
    const uptime = findUptime(paths.root);
    if (uptime === undefined) throw new Error("the host does not say how long it runs");
    await putClockFloor({ paths, owner: 0 }, { schema: 1, wall: Date.now() + ms, uptime });
  };

/** The helper lives at another time. */
export const shifted =
  (by: string) =>
  async ({ host, undo }: AttackedMachine): Promise<void> => {
    undo.push(() => host.shiftClock(undefined, helperUnit));
    await host.shiftClock(by, helperUnit);
  };
