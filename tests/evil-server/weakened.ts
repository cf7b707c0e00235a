import { resolve } from "node:path";
import { type Scenario, Tally } from "../support/scenario.ts";
import { harms } from "./harms.ts";
import { families } from "./rows/families.ts";
import type { RunRowDeps } from "./rows/run-row.ts";
import { runAll, scriptsOf } from "./row-scenario.ts";
import { weaknesses } from "./weaknesses.ts";

const root = resolve(import.meta.dirname, "../..");

/** The rows' own eyes: helpers from their sources that lack one check each. A row of each has to fail, and all hold without an edit. */
export const weakened: Scenario<"evil:server"> = {
  name: "weakened",
  run: async ({ seed, short }) => {
    const tally = new Tally();
    if (short) return tally.outcome();
    const scripts = families.flatMap(scriptsOf);
    const failing = async (weakness: string, rows: readonly number[]) => {
      const chosen = scripts.filter(({ number }) => rows.includes(number));
      const results = await runAll(depsFor(seed, weakness), chosen);
      return results.filter(({ verdict }) => verdict.wrong.length > 0);
    };
    const whole = await failing("none", [...new Set(weaknesses.flatMap(({ rows }) => rows))]);
    for (const { row, verdict } of whole) {
      tally.fail(`from sources ${row.label}: ${verdict.wrong.join("; ")}`, harms.answered);
    }
    for (const { name, rows } of weaknesses) {
      const found = await failing(name, rows);
      if (found.length > 0) tally.count("missing checks found");
      else tally.fail(`no row has found a helper without ${name}`, harms.blind);
    }
    return tally.outcome();
  },
};

function depsFor(seed: number, weakness: string): RunRowDeps {
  const hook = resolve(import.meta.dirname, "weakened-source.ts");
  const program = ["/usr/bin/env", `EVIL_WEAKNESS=${weakness}`, process.execPath, "--import", hook] as const;
  return { program: [...program, resolve(root, "apps/agent/src/main.ts")], seed };
}
