import { runScenarios } from "../support/run-scenarios.ts";
import { type AgentsForm, agentsScenario } from "./agents.ts";
import { harms } from "./harms.ts";
import { hostileAgent } from "./hostile-agent.ts";

/**
 * `npm run load:fleet [-- --short] [-- --seed N] [-- --only name] [-- --agents N] [-- --minutes N] [-- --at-once]`: simulated agents over
 * real connections against the real server, and agents that were enrolled and turned hostile.
 */
const { form, rest } = splitArguments(process.argv.slice(2));
await runScenarios({
  suite: "load:fleet",
  scenarios: [agentsScenario(form), hostileAgent],
  harms: [harms.forsaken, harms.overreach],
  args: rest,
});

/** What only this suite knows, and the words that every suite knows. */
function splitArguments(words: readonly string[]): { form: AgentsForm; rest: readonly string[] } {
  const found: { agents?: number; minutes?: number } = {};
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [, name] = /^--(agents|minutes)$/.exec(words[at] ?? "") ?? [];
    if (name === undefined) rest.push(words[at] ?? "");
    else found[name as keyof typeof found] = wholeNumber(words[(at += 1)]);
  }
  return { form: { ...found, atOnce: rest.includes("--at-once") }, rest: rest.filter((word) => word !== "--at-once") };
}

function wholeNumber(text: string | undefined): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`expected a whole number, found "${text}"`);
  return value;
}
