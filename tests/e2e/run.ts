import { setup, teardown } from "../acceptance/driver/scratch.ts";
import { openBrowser } from "./browser.ts";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { judgeBudgets } from "./budgets.ts";
import { Checks } from "./checks.ts";
import { judgeGallery } from "./gallery.ts";
import { playJourneys } from "./journeys.ts";
import { judgeLists } from "./lists.ts";
import { judgeLiveState } from "./live.ts";
import { judgePages } from "./pages.ts";
import { readSettings } from "./settings.ts";

/** `npm run e2e [-- --short] [-- --seed N] [-- --only words]`: the dashboard in a real Chromium, against the running server. */
const settings = readSettings(process.argv.slice(2));
const checks = new Checks(settings.only);
const started = performance.now();
setup();
try {
  await buildIfOld();
  await using browser = await openBrowser();
  console.log(`e2e: Chromium ${browser.version()}, seed ${settings.seed}${settings.short ? " (short)" : ""}`);
  await playJourneys(checks, browser, settings);
  await judgePages(checks, browser, settings);
  await judgeGallery(checks, browser, settings);
  await judgeLists(checks, browser);
  await judgeLiveState(checks, browser);
  await judgeBudgets(checks, browser);
} catch (error) {
  checks.failed += 1;
  console.log(`e2e broke off: ${error instanceof Error ? error.message : String(error)}`);
} finally {
  teardown();
}
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(
  `e2e: ${checks.passed} of ${checks.passed + checks.failed} checks in a real Chromium in ${seconds} s (seed ${settings.seed})`,
);
console.log(`${checks.passed} passed, ${checks.failed} failed`);
process.exitCode = checks.failed === 0 && checks.passed > 0 ? 0 : 1;
