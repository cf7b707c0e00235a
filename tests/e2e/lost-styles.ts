import { enter } from "./browser.ts";
import { isSticky } from "./in-page.js";
import type { Stage } from "./stage.ts";
import { admin } from "./world.ts";

const lostTimes = 2;

/** A style is lost on its way, and so is the second try: the page waits for the third, and is never shown without it. */
export async function lostStyles({ page, window }: Stage): Promise<string> {
  window.expectComplaint(/ERR_CONNECTION_FAILED/);
  await enter(window, admin);
  let asked = 0;
  await page.route("**/assets/shell.*.css", (route) => {
    asked += 1;
    return asked <= lostTimes ? route.abort("connectionfailed") : route.continue();
  });
  // The page's own clock, so that nobody has to wait for its pauses.
  await page.clock.install();
  await page.goto("/tokens");
  const bar = page.getByRole("banner");
  while (!(await bar.isVisible())) await page.clock.runFor(500);
  if (!(await bar.evaluate(isSticky))) throw new Error(`the bar stood there without its style, after ${asked} tries`);
  return `shown after the try ${asked}`;
}
