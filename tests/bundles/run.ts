import { setTimeout as delay } from "node:timers/promises";
import { changedBytes } from "./changed-bytes.ts";
import { generatedManifests } from "./generated-manifests.ts";
import { generatedPolicies } from "./generated-policies.ts";
import { readSettings } from "../support/suite-settings.ts";
import { swappedFiles } from "./swapped-files.ts";
import { type Outcome, type Scenario, Tally } from "./tally.ts";

/** `npm run bundles:hostile [-- --short] [-- --seed N] [-- --only name]`: tries to get bytes accepted that nobody signed. */
const scenarios: readonly Scenario[] = [changedBytes, generatedManifests, swappedFiles, generatedPolicies];
const shownSorts = 12;

const settings = readSettings("bundles:hostile", process.argv.slice(2));
const names = scenarios.map(({ name }) => name);
if (!settings.only.every((name) => names.includes(name))) throw new Error(`--only takes ${names.join(", ")}`);
const chosen = scenarios.filter(({ name }) => settings.only.length === 0 || settings.only.includes(name));
console.log(`bundles: seed ${settings.seed}${settings.short ? ", short" : ""}`);

const started = performance.now();
const total = new Tally();
let failed = 0;
for (const scenario of chosen) {
  const began = performance.now();
  const outcome = await outcomeOf(scenario);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const { ms, what } = outcome.slowest;
  console.log(`${scenario.name}: ${outcome.failed === 0 ? "passed" : "FAILED"}, ${countsOf(outcome)} (${seconds} s)`);
  if (ms > 0) console.log(`  slowest: ${ms.toFixed(1)} ms, ${what}`);
  for (const line of failureLines(outcome.failures)) console.log(`  ${line}`);
  if (outcome.failed > 0) failed += 1;
  total.add(outcome);
}

const seconds = Math.round((performance.now() - started) / 1_000);
const tried = Object.entries(total.counts).filter(([name]) => !name.startsWith("of them"));
console.log(
  `bundles: ${tried.map(([name, count]) => tell(count, name)).join(", ")}: ` +
    `${total.wronglyAccepted} accepted that nobody allowed had signed (seed ${settings.seed}) in ${seconds} s`,
);
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function outcomeOf(scenario: Scenario): Promise<Outcome> {
  // Also keeps the process alive: a promise that never settles must not look like an end.
  const minutes = settings.short ? 10 : 120;
  const watch = new AbortController();
  const tooLong = delay(minutes * 60_000, undefined, { signal: watch.signal }).then(() => {
    throw new Error(`it did not end within ${minutes} minutes`);
  });
  try {
    return await Promise.race([scenario.run(settings), tooLong]);
  } catch (error) {
    const tally = new Tally();
    tally.fail(
      `the scenario itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return tally.outcome();
  } finally {
    tooLong.catch(() => undefined);
    watch.abort();
  }
}

function countsOf({ counts }: Pick<Outcome, "counts">): string {
  return Object.entries(counts)
    .map(([name, count]) => tell(count, name))
    .join(", ");
}

function tell(count: number, name: string): string {
  return name.startsWith("of them") ? `${name} ${count.toLocaleString("en")}` : `${count.toLocaleString("en")} ${name}`;
}

/** One example of each sort: failures that differ only in their numbers are the same to a reader. */
function failureLines(failures: readonly string[]): string[] {
  const sorts = Map.groupBy(failures, (failure) => failure.replaceAll(/[0-9a-f]{64}|[0-9]+|".*?"/g, "#"));
  return [...sorts.values()]
    .map((alike) => (alike.length === 1 ? String(alike[0]) : `${alike[0]} (and ${alike.length - 1} like it)`))
    .slice(0, shownSorts);
}
