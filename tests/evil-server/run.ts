import { needPackages } from "../lab/lab.ts";
import { runVariable } from "../lab/managed-host.ts";
import { runCounting } from "../lab/run-suite.ts";
import { inOwnNetwork } from "../lab/wire.ts";
import { withHosts } from "../lab/with-hosts.ts";
import { runScenarios } from "../support/run-scenarios.ts";
import { harms } from "./harms.ts";
import { rows } from "./row-scenario.ts";
import { weakened } from "./weakened.ts";

/**
 * `npm run evil:server [-- --short] [-- --seed N] [-- --only rows]`: the server that a host is enrolled with, stolen with its key, tries
 * the rows of the table of attacks on hosts of the lab, which have a network of their own: needs root. What needs no host is
 * `npm run evil:frames`.
 */
const words = process.argv.slice(2);
if (process.env[runVariable] === undefined) {
  await needPackages("openssl", "nftables", "iproute2");
  const again = inOwnNetwork(process.execPath, [import.meta.filename, ...words]);
  const { passed, failed } = await withHosts((environment) => runCounting("unshare", again, environment));
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} else {
  await runScenarios({
    suite: "evil:server",
    scenarios: [rows, weakened],
    harms: Object.values(harms),
  });
}
