import { suites, type SuiteName } from "../../tools/ci.ts";
import { noteResult } from "../../tools/gate/test-results.ts";
import { type Outcome, type Scenario, Tally } from "./scenario.ts";
import { stopped } from "./stopped.ts";
import { readSettings, type Settings } from "./suite-settings.ts";

export interface ScenarioSuite<Name extends SuiteName> {
  readonly suite: Name;
  readonly scenarios: readonly Scenario<Name>[];
  /** What must never happen, in the words of the last line. */
  readonly harms: readonly string[];
  /** The command line without what only this suite knows. */
  readonly args?: readonly string[];
}

/** Hours that the whole form may take before it counts as hanging. */
const soakHours = 100;
const shownSorts = 12;

/** Runs the scenarios one after the other, tells what each came to, and ends the process. */
export async function runScenarios<Name extends SuiteName>({
  suite,
  scenarios,
  harms,
  args = process.argv.slice(2),
}: ScenarioSuite<Name>): Promise<never> {
  const settings = readSettings(suite, args);
  const names = scenarios.map(({ name }) => name);
  if (!settings.only.every((name) => names.includes(name))) throw new Error(`--only takes ${names.join(", ")}`);
  const chosen = scenarios.filter(({ name }) => settings.only.length === 0 || settings.only.includes(name));
  console.log(`${suite}: seed ${settings.seed}${settings.short ? ", short" : ""}`);
  const started = performance.now();
  const total = new Tally();
  let failed = 0;
  for (const scenario of chosen) {
    const began = performance.now();
    const outcome = await outcomeOf(scenario, settings, suites[suite].minutes);
    tell(scenario.name, outcome, (performance.now() - began) / 1_000);
    if (outcome.failed > 0) failed += 1;
    total.add(outcome);
  }
  const seconds = Math.round((performance.now() - started) / 1_000);
  const harm = harms.map((name) => `${total.harms[name] ?? 0} ${name}`).join(", ");
  console.log(`${suite}: ${countsText(total)}: ${harm} (seed ${settings.seed}) in ${seconds} s`);
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

/** A promise that never settles must not look like an end, and one that throws is a failure like any other. */
async function outcomeOf<Name extends SuiteName>(
  scenario: Scenario<Name>,
  settings: Settings<Name>,
  minutes: number,
): Promise<Outcome> {
  const limitMs = settings.short ? minutes * 600_000 : soakHours * 3_600_000;
  try {
    return await stopped(scenario.name, scenario.run(settings), limitMs);
  } catch (error) {
    const tally = new Tally();
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tally.fail(`the scenario itself failed: ${what}`);
    return tally.outcome();
  }
}

function tell(name: string, outcome: Outcome, seconds: number): void {
  const verdict = outcome.failed === 0 ? "passed" : "failed";
  noteResult({ name, verdict, counts: outcome.counts });
  const told = [verdict === "passed" ? verdict : "FAILED", countsText(outcome), ...outcome.notes];
  console.log(`${name}: ${told.filter((part) => part !== "").join(", ")} (${seconds.toFixed(1)} s)`);
  for (const line of failureLines(outcome.failures)) console.log(`  ${line}`);
}

function countsText({ counts }: Pick<Outcome, "counts">): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString("en")} ${name}`)
    .join(", ");
}

/** One example of each sort: failures that differ only in their numbers are the same to a reader. */
function failureLines(failures: readonly string[]): string[] {
  const sorts = Map.groupBy(failures, (failure) => failure.replaceAll(/[0-9a-f]{64}|[0-9]+|".*?"/g, "#"));
  return [...sorts.values()]
    .map((alike) => (alike.length === 1 ? String(alike[0]) : `${alike[0]} (and ${alike.length - 1} like it)`))
    .slice(0, shownSorts);
}
