import { moveToOwnNetwork } from "../support/own-network.ts";
import { runScenarios } from "../support/run-scenarios.ts";
import { compiledAgent } from "./compiled-agent.ts";
import { frames } from "./frames.ts";
import { harms } from "./harms.ts";
import { planted } from "./planted.ts";

/**
 * `npm run evil:frames [-- --short] [-- --seed N] [-- --only frames]`: the server that a host is enrolled with, stolen with its key, sends
 * whatever it likes to a real agent under every ceiling there is. Nothing of the host may change; and what would change it is found.
 */
moveToOwnNetwork();
await runScenarios({ suite: "evil:frames", scenarios: [frames, planted, compiledAgent], harms: Object.values(harms) });
