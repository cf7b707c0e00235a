import { setTimeout as delay } from "node:timers/promises";
import { corruption } from "./corruption.ts";
import { cuts } from "./cuts.ts";
import { fullDisk } from "./full-disk.ts";
import { kills } from "./kills.ts";
import { mixedFiles } from "./mixed-files.ts";
import { countNames, type Outcome, type Scenario, Tally } from "./scenario.ts";
import { readSettings } from "../support/suite-settings.ts";
import { shim } from "./shim.ts";
import { twoProcesses } from "./two-processes.ts";

/** `npm run crash [-- --short] [-- --seed N]`: hurts the store in every way a disk or a power cut can, and counts what it lost. */
const scenarios: readonly Scenario[] = [cuts, kills, shim, corruption, fullDisk, twoProcesses, mixedFiles];
const shownSorts = 12;

const settings = readSettings("crash", process.argv.slice(2));
const names = scenarios.map(({ name }) => name);
if (!settings.only.every((name) => names.includes(name))) throw new Error(`--only takes ${names.join(", ")}`);
const chosen = scenarios.filter(({ name }) => settings.only.length === 0 || settings.only.includes(name));
console.log(`crash: seed ${settings.seed}${settings.short ? ", short" : ""}`);

const started = performance.now();
const total = new Tally();
let failed = 0;
for (const scenario of chosen) {
  const began = performance.now();
  const outcome = await outcomeOf(scenario);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const verdict = outcome.failures.length === 0 ? "passed" : "FAILED";
  console.log(
    `${scenario.name}: ${verdict}, ${countsOf(outcome)}${outcome.notes.map((note) => `, ${note}`).join("")} (${seconds} s)`,
  );
  for (const line of failureLines(outcome.failures)) console.log(`  ${line}`);
  if (outcome.failures.length > 0) failed += 1;
  total.add(outcome);
}

const seconds = Math.round((performance.now() - started) / 1_000);
console.log(
  `crash: ${countsOf(total)}: ${total.lost} acknowledged records lost, ` +
    `${total.undetected} undetected corruptions (seed ${settings.seed}) in ${seconds} s`,
);
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** One example of each sort: failures that differ only in their numbers are the same to a reader. */
function failureLines(failures: readonly string[]): string[] {
  const sorts = Map.groupBy(failures, (failure) => failure.replaceAll(/[0-9a-f]{64}|[0-9]+|".*?"/g, "#"));
  return [...sorts.values()]
    .map((alike) => (alike.length === 1 ? String(alike[0]) : `${alike[0]} (and ${alike.length - 1} like it)`))
    .slice(0, shownSorts);
}

async function outcomeOf(scenario: Scenario): Promise<Outcome> {
  // Also keeps the process alive: a promise that never settles must not look like an end.
  const minutes = settings.short ? 10 : 600;
  const watch = new AbortController();
  const tooLong = delay(minutes * 60_000, undefined, { signal: watch.signal }).then(() => {
    throw new Error(`it did not end within ${minutes} minutes`);
  });
  try {
    return await Promise.race([scenario.run(settings), tooLong]);
  } catch (error) {
    const tally = new Tally();
    tally.fail(
      "other",
      `the scenario itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return tally.outcome();
  } finally {
    tooLong.catch(() => undefined);
    watch.abort();
  }
}

function countsOf(outcome: Pick<Outcome, "counts">): string {
  return countNames
    .flatMap((name) => (outcome.counts[name] === undefined ? [] : [`${outcome.counts[name]} ${name}`]))
    .join(", ");
}
