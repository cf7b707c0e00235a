import { checkResult, printFigures } from "../sandbox/findings.ts";
import { places } from "../sandbox/places.ts";
import { runPlaces } from "../sandbox/run-places.ts";
import { benchArguments, concludeBench } from "./measure.ts";

/**
 * `npm run bench:sandbox [-- --short]`: how soon everything of a hostile plugin is gone, and how long crowds of processes hold the
 * server up, on this host and in the container, beside bare processes that are ended in the same minutes. Needs root.
 */
const { short } = benchArguments();
const runs = short ? 300 : 3_000;
const storms = short ? 2 : 10;
const lateGoalMs = 100;
/** Without care it is half a minute. What is left, usually a third of a second, is how the kernel shares out two processors. */
const stormGoalMs = 2_000;

const hostile = places.filter(({ isHostile }) => isHostile);
console.log(
  `bench:sandbox, node ${process.version}, ${runs} hostile runs and ${storms} times every storm in each place`,
);
const work = { seed: 1, probes: false, runs, deaths: 0, storms, hoards: 0, compares: true };
const results = await runPlaces(hostile, 240, () => work);
for (const result of results) printFigures(result);
const failures = results
  .flatMap((result) => checkResult(result, []))
  .flatMap(({ name, why }) => (why === undefined ? [] : `${name}: ${why}`));
for (const failure of failures) console.log(`FAILED ${failure}`);

const limit = (name: string, found: number | undefined, goal: number) => ({
  name,
  found: found ?? Number.NaN,
  goal,
  atLeast: false,
  unit: " ms",
});
const goals = results.flatMap(({ place: { name }, figures, storms: raised }) => [
  limit(`${name}: everything is gone after its deadline, p99`, figures?.late.p99, lateGoalMs),
  limit(`${name}: a crowd is gone after its end is due, at most`, raised?.late.ms, stormGoalMs),
  limit(`${name}: the server stands still in a storm, at most`, raised?.stall.ms, stormGoalMs),
]);
const told = results.map(
  ({ place: { name }, figures }) =>
    `${name} p99 ${figures?.late.p99.toFixed(0)} ms where a bare process takes ${figures?.bare.p99.toFixed(0)} ms`,
);
concludeBench("bench:sandbox", goals, `all gone after the deadline: ${told.join(", ")}`);
if (failures.length > 0) process.exitCode = 1;
