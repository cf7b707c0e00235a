import { Random } from "../support/random.ts";
import { inLanes } from "../support/lanes.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { type Attack, underAttack } from "./attack.ts";
import { ceilings } from "./ceilings.ts";
import { plannedCases } from "./evil-cases.ts";
import { type Finding, harms } from "./harms.ts";
import { type Plant, plants } from "./plants.ts";
import { startFromSource } from "./running-agent.ts";

/** The suite's own eyes: the same cases and the same judge, against agents that do what no agent may. Each has to be found. */
export const planted: Scenario<"evil:frames"> = {
  name: "planted",
  run: async ({ seed }) => {
    const tally = new Tally();
    await inLanes(ceilings, async (ceiling) => {
      await underAttack(
        ceiling,
        (host) => startFromSource(host, "planted"),
        async (attack) => {
          for (const plant of plants) {
            const found = await wake(attack, plant, seed);
            const isSeen = found.some(({ harm, what }) => harm === plant.harm && what.includes(plant.words));
            if (isSeen) tally.count("planted verbs found");
            else tally.fail(`under "${ceiling.name}" nobody saw that ${plant.name}`, harms.blind);
          }
          return [];
        },
      );
    });
    return tally.outcome();
  },
};

async function wake(attack: Attack, { type, stage }: Plant, seed: number): Promise<Finding[]> {
  const cases = plannedCases(`${attack.host.paths.root}/etc/nginx/evil.conf`);
  // Behind the goodbye everything comes at once.
  const waking = cases.filter((evil) => evil.stage === stage && (stage === "gone" || evil.type === type));
  return attack.send(waking.map((evil, number) => ({ evil, random: new Random(seed, number) })));
}
