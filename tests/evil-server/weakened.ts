import { join, resolve } from "node:path";
import { type Scenario, Tally } from "../support/scenario.ts";
import { harms } from "./harms.ts";
import { families } from "./rows/families.ts";
import { compileTo, onMachines, runRows, scriptsOf } from "./row-scenario.ts";
import { copySources, weaken } from "./weakened-source.ts";
import { weaknesses } from "./weaknesses.ts";

const root = resolve(import.meta.dirname, "../..");

/** The rows' own eyes: agents that lack one check each, compiled and put on the same hosts. A row of each has to find it. */
export const weakened: Scenario<"evil:server"> = {
  name: "weakened",
  run: async ({ seed, short }) => {
    const tally = new Tally();
    if (short) return tally.outcome();
    const scripts = families.flatMap(scriptsOf);
    return onMachines(async (machines, scratch) => {
      const sources = join(scratch, "sources");
      copySources(root, sources);
      for (const weakness of weaknesses) {
        const putBack = weaken(sources, weakness);
        const agent = compileTo(join(scratch, weakness.name), sources);
        putBack();
        await Promise.all(machines.map((machine) => machine.exchangeAgent(agent)));
        const chosen = scripts.filter(({ number }) => weakness.rows.includes(number));
        const results = await runRows(machines, seed, chosen);
        const found = results.filter(({ verdict }) => verdict.wrong.length + verdict.changes.length > 0);
        for (const { row, verdict } of found) {
          const [what = ""] = [...verdict.changes, ...verdict.wrong];
          console.log(`without ${weakness.name}: ${row.label} finds ${what.slice(0, 160)}`);
        }
        if (found.length > 0) tally.count("missing checks found");
        else tally.fail(`no row has found an agent without ${weakness.name}`, harms.blind);
      }
      return tally.outcome();
    });
  },
};
