import { runLoad } from "../fleet/load.ts";
import { benchArguments, concludeBench } from "./measure.ts";

/**
 * `npm run bench:fleet [-- --short]`: what a fleet costs the server, and how soon it is back after a restart, with the times that
 * an installation has unless it is told otherwise. Somebody uses the API meanwhile, and a bare server beside it.
 */
const { short } = benchArguments();
const agents = short ? 1_000 : 10_000;
const windowSeconds = 20;

console.log(
  `bench:fleet, node ${process.version}, ${agents} agents that beat every 10 s and return over ${windowSeconds} s`,
);
const found = await runLoad({
  seed: 1,
  agents,
  beatSeconds: 10,
  windowSeconds,
  seconds: short ? 15 : 20,
  atOnce: false,
  measures: true,
  say: (line) => console.log(`  ${line}`),
});
for (const failure of found.failures) console.log(`FAILED ${failure}`);
for (const [when, { p50, p99, bareP99, failed }] of Object.entries({
  "without agents": found.quiet,
  "while they beat": found.beating,
  "while they return": found.returning,
})) {
  const times = `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms; bare node:http beside it p99 ${bareP99.toFixed(1)} ms`;
  console.log(`  API ${when}: ${times}${failed === 0 ? "" : `, ${failed} failed`}`);
}
console.log(
  `  a connection takes ${found.connectMicroseconds.toFixed(0)} µs of a processor, a beat ${found.microsecondsPerBeat.toFixed(0)} µs with the API beside it`,
);
console.log(`  connections ended: ${found.refused}`);

const { most99, all, downSeconds } = found.back;
concludeBench(
  "bench:fleet",
  [
    { name: "memory of the server for an agent", found: found.kibPerAgent, goal: 12, atLeast: false, unit: " KiB" },
    { name: "share of a processor while they beat", found: found.processorShare, goal: 0.15, atLeast: false },
    {
      name: "API p99 while they beat, beside bare node:http",
      found: found.beating.p99 / found.beating.bareP99,
      goal: 2,
      atLeast: false,
      unit: "×",
    },
    {
      name: "API p99 while they beat, beside the same without agents",
      found: found.beating.p99 / found.quiet.p99,
      goal: 2,
      atLeast: false,
      unit: "×",
    },
    { name: "99 of 100 are back after the signal to stop", found: most99, goal: 25, atLeast: false, unit: " s" },
    { name: "all are back after the signal to stop", found: all, goal: 60, atLeast: false, unit: " s" },
  ],
  `${agents} agents take ${found.kibPerAgent.toFixed(1)} KiB each and ${(found.processorShare * 100).toFixed(1)} % of a processor; ${downSeconds.toFixed(1)} s without a server, 99 % back after ${most99.toFixed(1)} s, all after ${all.toFixed(1)} s`,
);
if (found.failures.length > 0) process.exitCode = 1;
process.exit();
