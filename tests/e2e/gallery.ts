import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { stopMs } from "../support/stopped.ts";
import { type ServedDashboard, serveDashboard } from "../../tools/serve-dashboard.ts";
import { findViolations } from "./accessibility.ts";
import { type Look, openWindow } from "./browser.ts";
import type { Checks } from "./checks.ts";
import { isAtRest, isFocused, overflowsSideways } from "./in-page.js";
import type { Settings } from "./settings.ts";
import { until } from "../support/until.ts";

const pictures = resolve(import.meta.dirname, "../../.screenshots/gallery");

export const galleryLooks = [
  { size: "desktop", theme: "light" },
  { size: "phone", theme: "dark" },
  { size: "desktop", theme: "dark" },
  { size: "phone", theme: "light" },
] as const satisfies readonly Look[];

/** Every part of the dashboard in every state, as `npm run dev` serves it: judged by axe, and photographed. */
export async function judgeGallery(checks: Checks, browser: Browser, { short }: Settings): Promise<void> {
  const nameOf = ({ size, theme }: Look) => `the gallery of parts has no fault (${size}, ${theme})`;
  const looks = short ? galleryLooks.slice(0, 2) : galleryLooks;
  if (!checks.wants(...looks.map(nameOf))) return;
  await using site = await openSources(browser);
  for (const look of looks) {
    await checks.run(nameOf(look), async () => {
      const findings: string[] = [];
      const taken = await walkGallery(browser, site.url, look, async (page, what) => {
        const found = await findViolations(page);
        const wide = await page.evaluate(overflowsSideways);
        if (wide > 0) found.push(`the page is ${wide} px wider than the window`);
        findings.push(...found.map((line) => `${what}: ${line}`));
      });
      if (findings.length > 0) throw new Error([...new Set(findings)].join("\n"));
      return `${taken} pictures in .screenshots/gallery`;
    });
  }
}

/** For people to look at: the same pictures, and nothing is judged. */
export async function photographGallery(browser: Browser): Promise<number> {
  await using site = await openSources(browser);
  let taken = 0;
  for (const look of galleryLooks) taken += await walkGallery(browser, site.url, look, async () => undefined);
  return taken;
}

/** A first visit makes Vite find and bundle the libraries, and a page that comes too early is loaded again under one's hands. */
async function openSources(browser: Browser): Promise<ServedDashboard> {
  const site = await serveDashboard({ port: 0, quiet: true });
  const page = await browser.newPage();
  page.setDefaultTimeout(stopMs);
  await page.goto(new URL("/gallery", site.url).href);
  await page.getByRole("heading", { level: 1, name: "Gallery" }).waitFor();
  await site.settled();
  await page.close();
  return site;
}

type See = (page: Page, what: string) => Promise<void>;

/** Opens everything that can be opened, one after the other, and gives the number of pictures. */
async function walkGallery(browser: Browser, baseUrl: string, look: Look, judge: See): Promise<number> {
  const place = join(pictures, `${look.size}-${look.theme}`);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  await using window = await openWindow(browser, { baseUrl }, look);
  const { page } = window;
  let taken = 0;
  const see = async (what: string, fullPage = false): Promise<void> => {
    await judge(page, what);
    await page.screenshot({ path: join(place, `${what.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}.png`), fullPage });
    taken += 1;
  };
  await page.goto("/gallery");
  await page.getByRole("heading", { level: 1, name: "Gallery" }).waitFor();
  // Skeletons fade in late, so that quick answers show none; the picture is of them.
  await page.waitForFunction(isAtRest);
  await see("All parts", true);
  for (const { press, shows, focus, leave, reads } of openings) {
    await button(page, press).click();
    const shown = shows(page);
    await shown.waitFor();
    if (focus !== undefined) await holdsFocus(focus(shown), press);
    // A toast leaves by itself, but not while it is read.
    if (reads === true) await shown.getByRole("listitem").hover();
    await see(press);
    if (leave === undefined) await page.keyboard.press("Escape");
    else await shown.getByRole("button", { name: leave }).first().click();
    await shown.waitFor({ state: "hidden" });
  }
  await button(page, "Tooltip").hover();
  await page.getByText("Opens plan by plan, once active.").waitFor();
  await see("Tooltip");
  await button(page, "Palette Ctrl K").click();
  await holdsFocus(dialog(page).getByRole("combobox"), "The palette");
  await page.keyboard.type("fire");
  await page.getByRole("option", { name: /Firewall/ }).waitFor();
  await see("Palette, found");
  await page.keyboard.type(" nowhere");
  await page.getByText("Nothing is called that.").waitFor();
  await see("Palette, nothing");
  await page.keyboard.press("Escape");
  await button(page, "10,000 rows").click();
  await page.getByRole("table", { name: "Hosts", exact: true }).getByRole("row").nth(1).scrollIntoViewIfNeeded();
  await page.evaluate("window.scrollBy(0, 9000)");
  await page
    .getByRole("row")
    .filter({ hasText: /edge-000[1-9]\d\d/ })
    .first()
    .waitFor();
  await see("Virtual rows");
  const complaints = await window.complaints();
  if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join("; ")}`);
  return taken;
}

interface Opening {
  readonly press: string;
  readonly shows: (page: Page) => Locator;
  /** What has the focus when it opens. */
  readonly focus?: (shown: Locator) => Locator;
  /** The button that closes it, where Escape does not. */
  readonly leave?: string;
  /** The pointer rests on it while it is looked at. */
  readonly reads?: true;
}

const dialog = (page: Page): Locator => page.getByRole("dialog");
const toasts = (page: Page): Locator => page.getByRole("region", { name: "Messages" });
const openings: readonly Opening[] = [
  { press: "Dialog", shows: dialog },
  { press: "Wide dialog", shows: dialog },
  { press: "Dialog that waits", shows: dialog, leave: "I have kept it" },
  { press: "Confirm", shows: dialog, focus: (shown) => shown.getByRole("button", { name: "Cancel" }) },
  { press: "Confirm by name", shows: dialog, focus: (shown) => shown.getByRole("textbox") },
  { press: "Confirm at work", shows: dialog, leave: "Leave the example" },
  { press: "Sheet", shows: dialog },
  { press: "Left sheet", shows: dialog },
  { press: "Menu", shows: (page) => page.getByRole("menu") },
  { press: "Palette Ctrl K", shows: dialog, focus: (shown) => shown.getByRole("combobox") },
  { press: "Palette, reading", shows: dialog, focus: (shown) => shown.getByRole("combobox") },
  { press: "Toast", shows: toasts, leave: "Dismiss", reads: true },
  { press: "Toast of a failure", shows: toasts, leave: "Dismiss", reads: true },
];

function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

async function holdsFocus(target: Locator, what: string): Promise<void> {
  await until(`${what} opens on ${String(target)}`, () => target.evaluate(isFocused));
}
