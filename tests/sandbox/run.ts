import { noteResult } from "../../tools/gate/test-results.ts";
import { checkResult, printFigures, printTable } from "./findings.ts";
import { places } from "./places.ts";
import { escapeProbes, nodeProbes } from "./probe-list.ts";
import { runPlaces } from "./run-places.ts";
import { readSettings } from "./settings.ts";

/**
 * `npm run sandbox [-- --short] [-- --seed N] [-- --only host,container]`: plugins that try to get out, and plugins that
 * misbehave, on this host and in the real container. A level that cannot be tested is a failure with its reason.
 */
const { seed, short, only, counts } = readSettings(process.argv.slice(2));
const unknown = only.filter((name) => !places.some((place) => place.name === name));
if (unknown.length > 0) throw new Error(`--only takes ${places.map(({ name }) => name).join(", ")}`);
const chosen = places.filter(({ name }) => only.length === 0 || only.includes(name));
const probes = [...Object.values(escapeProbes).flat(), ...nodeProbes];
console.log(
  `sandbox: seed ${seed}${short ? ", short" : ""}, ${probes.length} ways out in ${chosen.length} places, ` +
    `${counts.runs} hostile runs, ${counts.deaths} deaths and ${counts.storms} times every storm in each that has them, ` +
    `${counts.hoards} times every kind of the kernel's memory`,
);

/** Where plugins only probe, dying with launcher and server is shown too: once while they start, once when they run. */
const quietDeaths = 2;

const started = performance.now();
const results = await runPlaces(chosen, short ? 30 : 240, ({ isHostile }) => ({
  seed,
  probes: true,
  runs: isHostile ? counts.runs : 0,
  deaths: isHostile ? counts.deaths : Math.min(counts.deaths, quietDeaths),
  storms: isHostile ? counts.storms : 0,
  hoards: isHostile ? counts.hoards : 0,
  compares: false,
}));

printTable(results, probes);
for (const result of results) printFigures(result);
const checks = results.flatMap((result) => checkResult(result, probes));
for (const { name, why, counts: done = {} } of checks) {
  noteResult({ name, verdict: why === undefined ? "passed" : "failed", counts: done });
  console.log(`${why === undefined ? "ok    " : "FAILED"} ${name}${why === undefined ? "" : `: ${why}`}`);
}
const failed = checks.filter(({ why }) => why !== undefined).length;
const found = results.flatMap((result) => [...result.found.values()]);
const escaped = found.filter((probe) => probe.escaped).length;
const runs = results.reduce((sum, { figures }) => sum + (figures?.runs ?? 0), 0);
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(
  `sandbox: ${found.length} attempts, ${escaped} escapes; ${runs} hostile runs (seed ${seed}) in ${seconds} s`,
);
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && results.length === chosen.length ? 0 : 1;
