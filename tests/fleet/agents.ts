import type { Scenario } from "../support/scenario.ts";
import { Tally } from "../support/scenario.ts";
import type { Settings } from "../support/suite-settings.ts";
import { harms } from "./harms.ts";
import { type LoadOptions, runLoad } from "./load.ts";

/** What the command line may change of the whole form. */
export interface AgentsForm {
  readonly agents?: number | undefined;
  readonly minutes?: number | undefined;
  readonly atOnce: boolean;
}

/**
 * A fleet that connects, beats and comes back after a restart. Decided by counts and by the state at the end: every agent is
 * welcomed, every beat acknowledged, every one is back, and nothing was written.
 */
export function agentsScenario(form: AgentsForm): Scenario<"load:fleet"> {
  return {
    name: "agents",
    run: async (settings) => {
      const options = optionsOf(settings, form);
      const tally = new Tally();
      const found = await runLoad(options);
      for (const failure of found.failures) tally.fail(failure, harms.forsaken);
      tally.count("agents", options.agents);
      tally.notes.push(
        `${found.beats} beats`,
        `connected in ${found.connectedSeconds.toFixed(1)} s`,
        `back ${found.back.all.toFixed(1)} s after the signal`,
        `connections ended: ${found.refused}`,
      );
      return tally.outcome();
    },
  };
}

function optionsOf(
  { short, seed, counts }: Settings<"load:fleet">,
  { agents, minutes = 1, atOnce }: AgentsForm,
): LoadOptions {
  const say = (line: string) => console.log(`  ${line}`);
  const size = { seed, agents: agents ?? counts.agents, atOnce, say };
  // Shorter times than anybody sets, for a fleet that is as much smaller: as many come each second.
  if (short) return { ...size, beatSeconds: 3, windowSeconds: 5, seconds: 0, measures: false };
  return { ...size, beatSeconds: 10, windowSeconds: 20, seconds: minutes * 60, measures: true };
}
