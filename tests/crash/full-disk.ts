import type { Scenario } from "../support/scenario.ts";
import { fillRealDisk } from "./full-disk-real.ts";
import { fillSimulatedDisks } from "./full-disk-simulated.ts";

/** A disk without space: changes are refused by name, reads go on, nothing is lost, and freed space is used again. */
export const fullDisk: Scenario<"crash"> = {
  name: "full-disk",
  run: async ({ seed, counts: { disks } }) => {
    const tally = await fillSimulatedDisks({ seed, disks });
    tally.add(await fillRealDisk());
    tally.notes.push(`${disks} simulated disks and a real one of 2 MiB`);
    return tally.outcome();
  },
};
