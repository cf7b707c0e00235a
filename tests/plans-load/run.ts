import { runScenarios } from "../support/run-scenarios.ts";
import { harms } from "./harms.ts";
import { onePlanScenario } from "./one-plan.ts";

/**
 * `npm run load:plans [-- --short] [-- --seed N] [-- --nodes N]`: one plan for thousands of simulated hosts over real connections: drawn
 * up, judged, reviewed, approved and run in waves against the real server.
 */
const words = process.argv.slice(2);
const at = words.indexOf("--nodes");
const nodes = at < 0 ? undefined : Number(words[at + 1]);
if (nodes !== undefined && !(Number.isSafeInteger(nodes) && nodes > 0)) {
  throw new Error(`expected a whole number of nodes, found "${words[at + 1]}"`);
}
await runScenarios({
  suite: "load:plans",
  scenarios: [onePlanScenario(nodes)],
  harms: [harms.uncounted, harms.early],
  args: at < 0 ? words : words.toSpliced(at, 2),
});
