import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { needPackages } from "./lab.ts";

/**
 * `npm run lab:plugins`: the official plugins as a server runs them, in a sandbox, and what they plan on real kernels: netguard's
 * firewall with nft and TCP connections, and wireguard's network with a tunnel, in network namespaces. Needs root; what cannot
 * be had is a failure with its reason.
 */
const repository = resolve(import.meta.dirname, "../..");
const started = performance.now();
let text = "";
let code: number | null = 1;
try {
  await needPackages("nftables", "iproute2", "iputils-ping", "wireguard-tools", "wireguard-go", "bubblewrap");
  const child = spawn(
    process.execPath,
    [
      join(repository, "node_modules/vitest/vitest.mjs"),
      "run",
      "--config",
      join(repository, "tests/lab/vitest.config.ts"),
      "plugins-",
    ],
    { cwd: repository, stdio: ["ignore", "pipe", "inherit"] },
  );
  child.stdout.on("data", (part: Buffer) => {
    process.stdout.write(part);
    text += part.toString();
  });
  [code] = (await once(child, "close")) as [number | null];
} catch (error) {
  console.log(`lab:plugins cannot run: ${error instanceof Error ? error.message : String(error)}`);
}
const [, passed = "0", failed = "1"] = /^(\d+) passed, (\d+) failed/m.exec(text) ?? [];
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(`lab:plugins: firewall and tunnel of the official plugins on real kernels in ${seconds} s`);
console.log(`${passed} passed, ${code !== 0 && failed === "0" ? 1 : failed} failed`);
process.exitCode = code === 0 && failed === "0" && passed !== "0" ? 0 : 1;
