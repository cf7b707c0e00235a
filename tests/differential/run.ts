import { runScenarios } from "../support/run-scenarios.ts";
import { harms } from "./harms.ts";
import { hostileFields } from "./hostile-fields.ts";
import { realPrograms } from "./real-programs.ts";
import { samePlans } from "./same-plans.ts";

/**
 * `npm run differential [-- --short] [-- --seed N] [-- --only plans]`: what a reviewer reads is what a host does. Needs root, strace, nft, ip, wg, wireguard-go and systemctl.
 */
await runScenarios({
  suite: "differential",
  // The fields first: nothing else has started a program by then.
  scenarios: [hostileFields, realPrograms, samePlans],
  harms: Object.values(harms),
});
