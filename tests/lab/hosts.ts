import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { readSettings } from "../support/suite-settings.ts";
import { faultsVariable } from "./fault-rows.ts";
import { repository } from "./image.ts";
import { needPackages } from "./lab.ts";
import { runCounting } from "./run-suite.ts";
import { inOwnNetwork } from "./wire.ts";
import { withHosts } from "./with-hosts.ts";

/**
 * `npm run lab [-- --short] [--seed N] [--only word,word]`: real hosts with systemd, and a real nginx with TLS in front of the real server,
 * on a network of their own. `--only` takes words of the names of files `hosts-*.test.ts`, or names of those that only the long form
 * runs: `deadman`, `evil`, `power`. Needs root; what cannot be had is a failure with its reason.
 */
const began = performance.now();
const { only, short, seed, counts } = readSettings("lab", process.argv.slice(2));
/** Only in the long form: they wait for windows to end, and some look at seconds, which a busy machine has not got. */
const longer = ["deadman-on-hosts", "evil-on-hosts", "power-cuts"];
const all = ["hosts-", ...(short ? [] : longer)];
const files =
  only.length === 0 ? all : only.map((word) => longer.find((name) => name.startsWith(word)) ?? `hosts-${word}`);
await needPackages("nginx-light", "openssl", "nftables", "iproute2", "iputils-ping");
await buildIfOld();
// Always: whether it is old would have to be judged by every package that it is made from, and it takes seconds.
const agent = spawnSync(process.execPath, [join(repository, "tools/build-agent.ts"), "--arch", process.arch], {
  stdio: ["ignore", "inherit", "inherit"],
});
if (agent.status !== 0) throw new Error("npm run agent:build failed");
const vitest = [join(repository, "node_modules/vitest/vitest.mjs"), "run"];
const words = [...vitest, "--config", join(repository, "tests/lab/vitest.config.ts"), ...files];
const tally = await withHosts(async (environment) => {
  const prepared = performance.now();
  const own = { ...environment, [faultsVariable]: `${counts.faults} ${seed}` };
  const counted = await runCounting("unshare", inOwnNetwork(process.execPath, words), own);
  console.log(`lab: ready to begin after ${secondsFrom(began, prepared)} s, then ${secondsFrom(prepared)} s of tests`);
  return counted;
});
console.log(
  `lab: managed hosts, nginx and the server, ${files.join(", ")}, ${counts.faults} faults, seed ${seed}, in ${secondsFrom(began)} s`,
);
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;

function secondsFrom(start: number, end = performance.now()): string {
  return ((end - start) / 1_000).toFixed(1);
}
