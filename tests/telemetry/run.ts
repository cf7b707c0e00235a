import { runScenarios } from "../support/run-scenarios.ts";
import { fleetScenario } from "./fleet-month.ts";
import { harms } from "./harms.ts";
import { monthScenario } from "./month.ts";
import { yearScenario } from "./year.ts";

/**
 * `npm run load:telemetry [-- --short] [-- --seed N] [-- --only month,year,fleet]`: what simulated hosts measure, minute by minute by a clock of
 * its own, through the real telemetry into a real file: what it costs on the disk, and whether everything is there and nothing else.
 */
await runScenarios({
  suite: "load:telemetry",
  scenarios: [monthScenario, yearScenario, fleetScenario],
  harms: [harms.uncounted, harms.wrong],
});
