import { join, resolve } from "node:path";
import { compileAgent } from "../../tools/build/compile-agent.ts";
import { inScratch } from "../support/scratch.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { underAttack } from "./attack.ts";
import { ceilings } from "./ceilings.ts";
import { casesFor, sendAll } from "./frames.ts";
import { harms } from "./harms.ts";
import { startCompiled } from "./running-agent.ts";
import type { LoadedCase } from "./stolen-server.ts";

const root = resolve(import.meta.dirname, "../..");
const architecture = process.arch === "arm64" ? "arm64" : "x64";

/** The same against the one file that hosts run, as two processes, with the pauses that it makes on a host: a share of the cases for each ceiling. */
export const compiledAgent: Scenario<"evil:frames"> = {
  name: "compiled",
  run: ({ seed, counts }) =>
    inScratch(async (directory) => {
      const tally = new Tally();
      if (counts.compiled === 0) return tally.outcome();
      compileAgent({ root, architecture, out: directory, compress: false });
      const program = join(directory, "gatehouse-agent");
      // They wait most of the time: all at once take as long as one.
      await Promise.all(
        ceilings.map(async (ceiling, at) => {
          const findings = await underAttack(
            ceiling,
            (host) => startCompiled(host, [program]),
            (attack) => {
              const all = casesFor(attack, seed + at, counts.compiled);
              return sendAll(attack, shareOf(all, at, counts.compiled), tally);
            },
          );
          for (const { harm, what } of findings) tally.fail(`under "${ceiling.name}" ${what}`, harms[harm]);
        }),
      );
      return tally.outcome();
    }),
};

/** Each ceiling begins elsewhere, so that together they have everything. */
function shareOf(all: readonly LoadedCase[], at: number, count: number): LoadedCase[] {
  const first = Math.floor((at * all.length) / ceilings.length);
  return Array.from({ length: Math.min(count, all.length) }, (_, next) => all[(first + next) % all.length]).filter(
    (each) => each !== undefined,
  );
}
