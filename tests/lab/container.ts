import { join } from "node:path";
import { image, needImage, repository } from "./image.ts";
import { inContainer, sentencesPattern } from "./in-container.ts";
import { runSuite } from "./run-suite.ts";

/**
 * `npm run lab:container [-- --short]`: builds the image, walks the README's quickstart, looks into the container, and then asks the
 * acceptance suite of it; the short form asks what a container can answer otherwise than a process. Without an engine it fails and says why; it never passes by not running.
 */
const short = process.argv.includes("--short");

const started = performance.now();
const stop = await needImage();
const tallies: { readonly passed: number; readonly failed: number }[] = [];
try {
  const words = ["run", "--config", join(repository, "tests/lab/vitest.config.ts"), "container"];
  tallies.push(await runSuite(process.execPath, "node_modules/vitest/vitest.mjs", words));
  const only = sentencesPattern(Object.values(inContainer).flat());
  const asked = ["--container", ...(short ? [...Object.keys(inContainer), `--only=${only}`] : [])];
  tallies.push(await runSuite(process.execPath, "tests/acceptance/run.ts", asked, { ACCEPTANCE_IMAGE: image }));
} finally {
  await stop();
}
const [passed, failed] = [sum((tally) => tally.passed), sum((tally) => tally.failed)];
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(`lab:container: ${image}, quickstart and acceptance on the real container in ${seconds} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function sum(of: (tally: (typeof tallies)[number]) => number): number {
  return tallies.reduce((total, tally) => total + of(tally), 0);
}
