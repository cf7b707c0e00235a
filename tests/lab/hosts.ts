import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { readSettings } from "../support/suite-settings.ts";
import { startEngine } from "./engine.ts";
import { faultsVariable } from "./fault-rows.ts";
import { needHostImage } from "./host-image.ts";
import { repository } from "./image.ts";
import { docker, needPackages } from "./lab.ts";
import { runLabel, runVariable } from "./managed-host.ts";
import { type Counted, runCounting } from "./run-suite.ts";
import { inOwnNetwork } from "./wire.ts";

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
const stop = await startEngine();
let tally: Counted = { passed: 0, failed: 1 };
try {
  await removeHosts((run) => !isRunning(run));
  await needHostImage();
  const prepared = performance.now();
  const vitest = [join(repository, "node_modules/vitest/vitest.mjs"), "run"];
  const words = [...vitest, "--config", join(repository, "tests/lab/vitest.config.ts"), ...files];
  const own = { [runVariable]: String(process.pid), [faultsVariable]: `${counts.faults} ${seed}` };
  tally = await runCounting("unshare", inOwnNetwork(process.execPath, words), own);
  console.log(`lab: ready to begin after ${secondsFrom(began, prepared)} s, then ${secondsFrom(prepared)} s of tests`);
} finally {
  await removeHosts((run) => run === String(process.pid));
  await stop();
}
console.log(
  `lab: managed hosts, nginx and the server, ${files.join(", ")}, ${counts.faults} faults, seed ${seed}, in ${secondsFrom(began)} s`,
);
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;

/** A test that was killed leaves its hosts behind; the engine knows whose they are. */
async function removeHosts(ofRun: (run: string) => boolean): Promise<void> {
  const format = `{{.ID}} {{.Label "${runLabel}"}}`;
  const { stdout } = await docker("ps", "--all", "--filter", `label=${runLabel}`, "--format", format);
  for (const line of stdout.split("\n").filter(Boolean)) {
    const [id = "", run = ""] = line.split(" ");
    if (ofRun(run)) await docker("rm", "--force", "--volumes", id);
  }
}

function isRunning(run: string): boolean {
  try {
    return readFileSync(`/proc/${run}/cmdline`, "latin1").includes("tests/lab/hosts.ts");
  } catch {
    return false;
  }
}

function secondsFrom(start: number, end = performance.now()): string {
  return ((end - start) / 1_000).toFixed(1);
}
