import { cpSync, chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./image.ts";
import { needPackages } from "./lab.ts";
import { runSuite } from "./run-suite.ts";

/**
 * `npm run lab:plugins`: the official plugins as a server runs them, in a sandbox, and what they plan on real kernels: netguard's
 * firewall with nft and TCP connections, and wireguard's network with a tunnel, in network namespaces; and there, how the agent
 * changes its own table and puts it back. Needs root; what cannot be had is a failure with its reason.
 */
const started = performance.now();
await needPackages("nftables", "iproute2", "iputils-ping", "wireguard-tools", "wireguard-go", "bubblewrap");
// A plugin is nobody, and runs the Node of whoever started it. The checkout may lie where only its owner can enter.
const directory = mkdtempSync(join(tmpdir(), "gatehouse-lab-node-"));
chmodSync(directory, 0o755);
const node = join(directory, "node");
cpSync(process.execPath, node, { dereference: true });
const words = ["run", "--config", join(repository, "tests/lab/vitest.config.ts"), "plugins-"];
const { passed, failed } = await runSuite(node, "node_modules/vitest/vitest.mjs", words);
rmSync(directory, { recursive: true, force: true });
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(`lab:plugins: firewall and tunnel of the official plugins on real kernels in ${seconds} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
