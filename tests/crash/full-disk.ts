import { type Scenario, Tally } from "../support/scenario.ts";
import { fillRealDisk } from "./full-disk-real.ts";
import { fillSimulatedDisk, startOnFullDisk } from "./full-disk-simulated.ts";

/** A disk without space: changes are refused by name, reads go on, nothing is lost, and freed space is used again. */
export const fullDisk: Scenario<"crash"> = {
  name: "full-disk",
  run: async ({ seed, counts: { disks } }) => {
    const tally = new Tally();
    for (let disk = 0; disk < disks; disk += 1) await fillSimulatedDisk(tally, seed * 10_000 + disk);
    for (let capacity = 0; capacity < 600; capacity += 7) await startOnFullDisk(tally, capacity);
    tally.add(await fillRealDisk());
    tally.notes.push(`${disks} simulated disks and a real one of 2 MiB`);
    return tally.outcome();
  },
};
