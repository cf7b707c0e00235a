import type { Browser } from "playwright-core";
import { until } from "../support/until.ts";
import { enter } from "./browser.ts";
import type { Checks } from "./checks.ts";
import { afterFrames } from "./in-page.js";
import { expiredLine, hostLife } from "./journeys/host-life.ts";
import { seedWorldFleet } from "./seed-log.ts";
import type { Settings } from "./settings.ts";
import { allForms, type Form, formWords, playOn, shortForms, type Stage } from "./stage.ts";
import { admin, World } from "./world.ts";

const desktop: Form = { hand: "keyboard", size: "desktop", theme: "light" };
const phone: Form = { hand: "mouse", size: "phone", theme: "dark" };
const now = Date.UTC(2026, 10, 16);

const names = {
  life: "enrol a host, edit, revoke and remove it",
  expired: "a line that nobody used says that it has expired",
  filter: "filters of nodes stand in the address, and counts lead to what they count",
  large: "ten thousand nodes are one list of which few rows are drawn",
} as const;

/** The pages of the fleet over a real server: two hundred seeded nodes, then ten thousand. */
export async function judgeFleet(checks: Checks, browser: Browser, { short, seed }: Settings): Promise<void> {
  if (checks.wants(names.life, names.expired, names.filter)) {
    await using world = new World();
    await seedWorldFleet(world.dataDir, { nodes: 200, seed: 6, now });
    await world.start();
    for (const [at, form] of (short ? shortForms(3) : allForms).entries()) {
      await checks.run(`${names.life} by ${formWords(form)}`, () =>
        playOn(browser, world, form, `${seed}-${at}`, hostLife),
      );
    }
    await checks.run(names.expired, () => playOn(browser, world, desktop, "", expiredLine));
    await checks.run(names.filter, () => playOn(browser, world, phone, "", filterNodes));
  }
  if (!checks.wants(names.large)) return;
  await using world = new World();
  await seedWorldFleet(world.dataDir, { nodes: 10_000, seed: 6, now });
  await world.start();
  for (const form of [desktop, phone]) {
    await checks.run(`${names.large} (${form.size})`, () => playOn(browser, world, form, "", scrollLargeFleet));
  }
}

async function filterNodes({ page, window, hand, judge }: Stage): Promise<string> {
  await enter(window, admin);
  await page.goto("/nodes");
  const states = page.getByRole("navigation", { name: "Filter by state" });
  const revoked = states.getByRole("link", { name: /^Revoked \d+$/ });
  const count = Number(/\d+$/.exec(await revoked.innerText())?.[0]);
  await hand.press(revoked);
  await page.waitForURL("**/nodes?state=revoked");
  const rows = page.getByRole("table", { name: "Nodes" }).locator("tr[data-row]");
  await until(`as many rows as the ${count} that are counted`, async () => (await rows.count()) === count);
  await hand.select(page.getByLabel("Ceiling", { exact: true }), "monitor");
  await page.waitForURL("**/nodes?state=revoked&ceiling=monitor");
  await page.goto("/nodes?tag=edge&text=ams1");
  const first = await rows.first().innerText();
  if (!/ams1-edge-/.test(first)) throw new Error(`the first row is ${first}`);
  await judge("filtered nodes");
  await page.goto("/nodes?text=nobody-is-called-so");
  await hand.press(page.getByRole("button", { name: "Clear the filter" }));
  await page.waitForURL("**/nodes");
  await rows.first().waitFor();
  return `${count} revoked`;
}

const mostRows = 80;

async function scrollLargeFleet({ page, window, judge }: Stage): Promise<string> {
  await enter(window, admin);
  await page.goto("/nodes");
  await page.getByText(/^10,000 nodes: /).waitFor();
  const table = page.getByRole("table", { name: "Nodes" });
  const rows = table.locator("tr[data-row]");
  await table.locator('tr[data-row="0"]').waitFor();
  const atTop = await rows.count();
  await judge("ten thousand nodes");
  const seen = (expression: string) => until(expression, () => page.evaluate<boolean>(expression));
  const staysSo = async (expression: string) => {
    await seen(expression);
    await page.evaluate(afterFrames);
    await seen(expression);
  };
  await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight / 2)");
  await seen("Number(document.querySelector('table[aria-label=Nodes] tr[data-row]')?.dataset.row) > 3000");
  const inTheMiddle = await rows.count();
  await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
  // Those at the end are higher than was thought, and the page with them.
  const lastOnScreen = "document.querySelector('tr[data-row=\"9999\"]')?.getBoundingClientRect().bottom <= innerHeight";
  await staysSo(lastOnScreen);
  const atEnd = await rows.count();
  // By key from the first row, whose going must not take the page along.
  await page.evaluate("window.scrollTo(0, 0)");
  await table.locator('tr[data-row="0"]').focus();
  await page.keyboard.press("End");
  await staysSo(`document.activeElement?.dataset.row === "9999" && ${lastOnScreen}`);
  const drawn = [atTop, inTheMiddle, atEnd];
  if (drawn.some((count) => count > mostRows)) throw new Error(`${drawn.join(", ")} rows are drawn at once`);
  return `${drawn.join(", ")} rows drawn of 10,000`;
}
