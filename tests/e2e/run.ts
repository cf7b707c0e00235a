import { buildIfOld } from "../../tools/build-if-old.ts";
import { noteResult } from "../../tools/gate/test-results.ts";
import { setup, teardown } from "../acceptance/driver/scratch.ts";
import { openBrowser } from "./browser.ts";
import { judgeParts } from "./parts.ts";
import { moveToOwnNetwork } from "../support/own-network.ts";
import { readSettings } from "./settings.ts";

/** `npm run e2e [-- --short] [-- --seed N] [-- --only words]`: the dashboard in a real Chromium, against the running server. */
const settings = readSettings(process.argv.slice(2));
moveToOwnNetwork();
const started = performance.now();
let [passed, failed] = [0, 0];
setup();
try {
  await buildIfOld();
  await using browser = await openBrowser();
  console.log(`e2e: Chromium ${browser.version()}, seed ${settings.seed}${settings.short ? " (short)" : ""}`);
  ({ passed, failed } = await judgeParts(browser, settings));
} catch (error) {
  failed += 1;
  noteResult({ name: "e2e broke off", verdict: "failed" });
  console.log(`e2e broke off: ${error instanceof Error ? error.message : String(error)}`);
} finally {
  teardown();
}
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(`e2e: ${passed} of ${passed + failed} checks in a real Chromium in ${seconds} s (seed ${settings.seed})`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
