import { runScenarios } from "../support/run-scenarios.ts";
import { corruption } from "./corruption.ts";
import { cuts } from "./cuts.ts";
import { fullDisk } from "./full-disk.ts";
import { harms } from "./harms.ts";
import { kills } from "./kills.ts";
import { mixedFiles } from "./mixed-files.ts";
import { shim } from "./shim.ts";
import { twoProcesses } from "./two-processes.ts";

/** `npm run crash [-- --short] [-- --seed N] [-- --only name]`: hurts the store in every way a disk or a power cut can, and counts what it lost. */
await runScenarios({
  suite: "crash",
  scenarios: [cuts, kills, shim, corruption, fullDisk, twoProcesses, mixedFiles],
  harms: [harms.lost, harms.undetected],
});
