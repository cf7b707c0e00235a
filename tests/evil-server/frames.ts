import { addToCount } from "@gatehouse/base";
import { Random } from "../support/random.ts";
import { inLanes } from "../support/lanes.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { type Attack, underAttack } from "./attack.ts";
import { ceilings } from "./ceilings.ts";
import { drawnCase, plannedCases } from "./evil-cases.ts";
import { evilTypes } from "./evil-types.ts";
import { type Finding, harms } from "./harms.ts";
import { startFromSource } from "./running-agent.ts";
import type { LoadedCase } from "./stolen-server.ts";

/** So many connections between two looks at the host. */
const batchSize = 100;

/** Every type in every state, and as many mutated ones as are asked for, under each ceiling. */
export const frames: Scenario<"evil:frames"> = {
  name: "frames",
  run: async ({ seed, counts, short }) => {
    const tally = new Tally();
    const ends = new Map<string, number>();
    await inLanes(ceilings.entries(), async ([at, ceiling]) => {
      const findings = await underAttack(
        ceiling,
        (host) => startFromSource(host, "as it is"),
        async (attack) => {
          const all = casesFor(attack, seed, counts.mutated);
          const cases = short && !ceiling.isEnd ? all.filter((each, number) => isShare(each, number, at)) : all;
          const found = await sendAll(attack, cases, tally);
          for (const [code, times] of attack.ends) addToCount(ends, code, times);
          tally.notes.push(`${Math.round(attack.agent.memory() / 1_024)} MiB`);
          return found;
        },
      );
      tally.count("ceilings");
      for (const { harm, what } of findings) tally.fail(`under "${ceiling.name}" ${what}`, harms[harm]);
    });
    for (const [code, times] of [...ends].toSorted(([, a], [, b]) => b - a)) console.log(`  ${times} × ${code}`);
    const memory = tally.notes.splice(0).map((note) => Number.parseInt(note, 10));
    tally.notes.push(`both parts had at most ${Math.max(...memory)} MiB under Node`);
    return tally.outcome();
  },
};

/** The gate's form: under a ceiling between the ends every type where it could be heard, of the rest a share, another one for each. */
function isShare({ evil }: LoadedCase, number: number, at: number): boolean {
  const isHeard = evil.stage === "gone" || (evil.stage === "open" && evil.type !== undefined);
  return isHeard || number % ceilings.length === at;
}

/** The first are planned, the others drawn; each draws for itself. */
export function casesFor({ host }: Attack, seed: number, mutated: number): LoadedCase[] {
  const place = `${host.paths.root}/etc/nginx/evil.conf`;
  const planned = plannedCases(place);
  const types = evilTypes(place);
  const drawn = Array.from({ length: mutated }, (_, at) => drawnCase(types, seed, planned.length + at));
  return [...planned, ...drawn].map((evil, number) => ({ evil, random: new Random(seed, number) }));
}

export async function sendAll(attack: Attack, cases: readonly LoadedCase[], tally: Tally): Promise<Finding[]> {
  const found: Finding[] = [];
  for (let from = 0; from < cases.length && found.length === 0; from += batchSize) {
    const batch = cases.slice(from, from + batchSize);
    found.push(...(await attack.send(batch)));
    tally.count("connections", batch.length);
  }
  return found;
}
