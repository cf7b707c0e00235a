import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { image, needImage, repository } from "./image.ts";

/**
 * `npm run lab:container [-- --short]`: builds the image, walks the README's quickstart, looks into the container, and then asks the
 * whole acceptance suite of it. Without an engine it fails and says why; it never passes by not running.
 */
const short = process.argv.includes("--short");
const started = performance.now();
const stop = await needImage();
const tallies = { passed: 0, failed: 0 };
try {
  await suite("node_modules/vitest/vitest.mjs", [
    "run",
    "--config",
    join(repository, "tests/lab/vitest.config.ts"),
    "container",
  ]);
  const sections = short ? ["1", "2", "3", "4", "5", "7-plugin", "official-plugins"] : [];
  await suite("tests/acceptance/run.ts", ["--container", ...sections], { ACCEPTANCE_IMAGE: image });
} finally {
  await stop();
}
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(`lab:container: ${image}, quickstart and acceptance on the real container in ${seconds} s`);
console.log(`${tallies.passed} passed, ${tallies.failed} failed`);
process.exitCode = tallies.failed === 0 ? 0 : 1;

async function suite(script: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const child = spawn(process.execPath, [join(repository, script), ...words], {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (part: Buffer) => {
    process.stdout.write(part);
    text += part.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  const [, passed, failed] = [...text.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1) ?? [];
  tallies.passed += Number(passed ?? 0);
  tallies.failed += Number(failed ?? 0) + (passed === undefined || (code !== 0 && failed === "0") ? 1 : 0);
}
