import { join } from "node:path";
import { image, needImage, repository } from "./image.ts";
import { runSuite } from "./run-suite.ts";

/**
 * `npm run lab:container [-- --short]`: builds the image, walks the README's quickstart, looks into the container, and then asks the
 * acceptance suite of it. Without an engine it fails and says why; it never passes by not running.
 */
const short = process.argv.includes("--short");

/**
 * The short form asks what the container can answer otherwise than a process, which `npm run acceptance` asks everything. The
 * whole form asks all of it again.
 */
const sections = [
  "01-service", // the entrypoint starts it, with the image's own defaults
  "02-data-files", // whose files they are, and with which modes, is the entrypoint's doing
  "03-1-activation", // plugins run under another sandbox, from a runtime directory that is a mount
  "04-1-cache-headers", // the site is the one that the image has built
  "05-configuration", // settings come through the engine and meet those of the image
  "07-plugin-errors", // what a sandbox without namespaces answers
  "10-stop", // signals come by way of an init
  "official-plugins", // the image's Node runs them
];

const started = performance.now();
const stop = await needImage();
const tallies: { readonly passed: number; readonly failed: number }[] = [];
try {
  const words = ["run", "--config", join(repository, "tests/lab/vitest.config.ts"), "container"];
  tallies.push(await runSuite(process.execPath, "node_modules/vitest/vitest.mjs", words));
  const asked = ["--container", ...(short ? sections : [])];
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
