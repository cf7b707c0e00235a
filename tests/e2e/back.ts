import type { Browser } from "playwright-core";
import { enter } from "./browser.ts";
import type { Checks } from "./checks.ts";
import { type Form, playOn, type Stage } from "./stage.ts";
import { until } from "../support/until.ts";
import { admin, type World } from "./world.ts";

const forms = [
  { hand: "mouse", size: "desktop", theme: "light" },
  { hand: "mouse", size: "phone", theme: "dark" },
] as const satisfies readonly Form[];

const sheets = [
  { entry: "Audit", path: "/audit", table: /^Audit entries/, words: "Sign-in" },
  { entry: "Tokens", path: "/tokens", table: "Tokens", words: "nightly check" },
  { entry: "Users", path: "/users", table: "Users", words: "wren" },
] as const;

/** Back closes what is open, and leaves the page only then. */
export async function judgeBack(checks: Checks, browser: Browser, world: World): Promise<void> {
  for (const form of forms) {
    await checks.run(`Back closes an open sheet, and leaves the page after that (${form.size})`, () =>
      playOn(browser, world, form, "", backClosesSheets),
    );
  }
}

export async function backClosesSheets(stage: Stage): Promise<void> {
  const { page, hand, window } = stage;
  await enter(window, admin);
  for (const { entry, path, table, words } of sheets) {
    await page.goto("/settings/about");
    await hand.goTo(entry);
    const sheet = page.getByRole("dialog");
    const rows = page.getByRole("table", { name: table });
    // The navigation of a phone is a sheet too.
    await sheet.waitFor({ state: "detached" });
    await hand.openRow(rows, words);
    await sheet.waitFor();
    const older = sheet.getByRole("button", { name: "Older" });
    if (await older.isVisible()) {
      const before = page.url();
      await hand.press(older);
      await until("the next entry stands in the address", () => page.url() !== before);
    }
    await page.goBack();
    await sheet.waitFor({ state: "detached" });
    standsAt(page, path);
    await page.goForward();
    await sheet.waitFor();
    // As soon as it is pressed twice: only one step is taken back.
    await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("Escape")]);
    await sheet.waitFor({ state: "detached" });
    await page.waitForURL((url) => url.pathname === path && url.search === "");
    await hand.openRow(rows, words);
    await sheet.waitFor();
    const address = page.url();
    await page.goBack();
    await sheet.waitFor({ state: "detached" });
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "About" }).waitFor();

    // A link to it has no list behind it: it is closed in its place, and Back leads to where the link was.
    await page.goto(address);
    await sheet.waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    standsAt(page, path);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
  }
}

function standsAt(page: Stage["page"], path: string): void {
  const { pathname, search } = new URL(page.url());
  if (pathname + search !== path) throw new Error(`expected the address ${path}, found ${pathname + search}`);
}
