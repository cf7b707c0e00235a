import type { Browser, Page } from "playwright-core";
import { openApi } from "./api.ts";
import { enter } from "./browser.ts";
import type { Checks } from "./checks.ts";
import { type Form, playOn, type Stage } from "./stage.ts";
import { admin, World } from "./world.ts";

const forms = [
  { hand: "mouse", size: "desktop", theme: "light" },
  { hand: "keyboard", size: "phone", theme: "dark" },
] as const satisfies readonly Form[];

const lists = [
  { path: "/tokens", api: "/api/tokens", noun: "tokens", items: (page: Page) => rowsOf(page, "Tokens") },
  { path: "/users", api: "/api/users", noun: "users", items: (page: Page) => rowsOf(page, "Users") },
  {
    path: "/settings/security",
    api: "/api/auth/sessions",
    noun: "sessions",
    items: (page: Page) => page.getByRole("list", { name: "Your sessions" }).getByRole("listitem"),
  },
] as const;

/** Lists that are longer than one answer of the API. The browser asks for two at a time, so that five are three pages. */
export async function judgeLists(checks: Checks, browser: Browser): Promise<void> {
  const names = lists.map(({ noun }) => `the list of ${noun} goes on to its end`);
  if (!checks.wants(...names)) return;
  await using world = await new World().start();
  const api = await openApi(world);
  for (const at of [1, 2, 3, 4, 5]) {
    await api.call("POST", "/api/tokens", { name: `token ${at}`, scopes: ["audit:read"] });
    await api.newUser(`user-${at}`, "viewer");
    await openApi(world);
  }
  for (const [at, list] of lists.entries()) {
    for (const form of forms) {
      await checks.run(`${names[at]} (${form.hand}, ${form.size})`, () =>
        playOn(browser, world, form, "", (stage) => readToItsEnd(stage, list)),
      );
    }
  }
}

async function readToItsEnd(stage: Stage, list: (typeof lists)[number]): Promise<string> {
  const { page, window, hand, judge } = stage;
  await enter(window, admin);
  await page.route(
    ({ pathname }) => pathname === list.api,
    async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.has("limit")) url.searchParams.set("limit", "2");
      await route.continue({ url: url.href });
    },
  );
  await page.goto(list.path);
  const more = page.getByRole("button", { name: "Show more" });
  await more.waitFor();
  await judge(`${list.path} with more to come`);
  let read = await list.items(page).count();
  if (read !== 2) throw new Error(`the first page shows ${read} ${list.noun}, not 2`);
  for (let pages = 1; await more.isVisible(); pages += 1) {
    if (pages > 20) throw new Error(`after ${pages} pages there is still more`);
    const answered = page.waitForResponse((answer) => answer.url().includes("cursor="));
    await hand.press(more);
    await answered;
    await list.items(page).nth(read).waitFor();
    read = await list.items(page).count();
  }
  await page.getByText(`All ${read} ${list.noun} were read`).waitFor();
  if (read < 5) throw new Error(`only ${read} ${list.noun} came`);
  return `${read} ${list.noun}`;
}

/** Without the head. */
function rowsOf(page: Page, name: string) {
  return page.getByRole("table", { name, exact: true }).locator("tr[data-row]");
}
