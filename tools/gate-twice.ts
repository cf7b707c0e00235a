import { parseArgs } from "node:util";
import { suites } from "./ci.ts";
import { startBusyLoops } from "./gate/busy-loops.ts";
import { compareRuns } from "./gate/compare-runs.ts";
import { runSuites, type SuiteRun, sumOf, tableOf } from "./gate/run-gate.ts";
import { lanes, type Suite } from "./gate/suite.ts";

/**
 * `npm run gate:twice [-- --only check,crash]`: every deciding suite twice, the second time beside two endless loops, and
 * both runs compared test by test. A difference is a test that a clock or a dice decides.
 */
const { values } = parseArgs({ options: { only: { type: "string" }, short: { type: "boolean" } } });
const chosen = chooseSuites(values.only?.split(","));
const first = await runSuites(chosen);
console.log("\nonce more, beside two endless loops\n");
const second = await runBesideLoops();
console.log(`\nthe first run\n${tableOf(first)}\n\nbeside two endless loops\n${tableOf(second)}\n`);

const differences = compareRuns(first, second);
for (const difference of differences) console.log(`differs: ${difference}`);
const tests = first.reduce((sum, { results }) => sum + results.length, 0);
console.log(
  `gate:twice: ${tests} tests twice, ${differences.length} differences; ${secondsOf(first)} s, then ${secondsOf(second)} s beside two endless loops`,
);
const failed = differences.length + sumOf(first).failed + sumOf(second).failed;
console.log(`${Math.max(0, tests - differences.length)} passed, ${failed} failed`);
process.exitCode = failed === 0 && tests > 0 ? 0 : 1;

async function runBesideLoops(): Promise<SuiteRun[]> {
  await using _loops = await startBusyLoops(2);
  return await runSuites(chosen);
}

function chooseSuites(names: readonly string[] | undefined): Readonly<Record<string, Suite>> {
  const unknown = names?.filter((name) => !(name in suites)) ?? [];
  if (unknown.length > 0)
    throw new Error(`--only takes ${Object.keys(suites).join(", ")}; found ${unknown.join(", ")}`);
  return Object.fromEntries(Object.entries(suites).filter(([name]) => names === undefined || names.includes(name)));
}

/** Of the longest lane and of what runs after all of them, which is how long the whole took. */
function secondsOf(runs: readonly SuiteRun[]): number {
  const lane = (name: Suite["lane"]) =>
    runs.reduce((sum, { lane: mine, seconds }) => sum + (mine === name ? seconds : 0), 0);
  return Math.round(Math.max(...lanes.map(lane)) + Math.max(lane("alone"), lane("beside")));
}
