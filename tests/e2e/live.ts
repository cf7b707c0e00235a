import type { Browser } from "playwright-core";
import { openApi } from "./api.ts";
import { enter } from "./browser.ts";
import type { Checks } from "./checks.ts";
import { lostNetwork } from "./lost-network.ts";
import { lostStyles } from "./lost-styles.ts";
import { type Form, playOn, type Stage } from "./stage.ts";
import { updated } from "./updated.ts";
import { until } from "../support/until.ts";
import { admin, World } from "./world.ts";

const desktop: Form = { hand: "mouse", size: "desktop", theme: "light" };

/** What happens to a page that stays open while the world around it changes. */
export async function judgeLiveState(checks: Checks, browser: Browser): Promise<void> {
  await using world = new World();
  const nav = [{ component: "plugin.page", title: "Mesh of otters", path: "/apps/acme-mesh", scope: "plan:read" }];
  world.bundle({ id: "acme-mesh", name: "Mesh", contributions: { nav: nav as never, enhancements: [] } });
  await world.start();
  await checks.run("contributions come and go in a window that only looks on", () =>
    playOn(browser, world, desktop, "", comesAndGoes),
  );
  await checks.run("what changes while a page is still waiting for its stream is shown", () =>
    playOn(browser, world, desktop, "", lateStream),
  );
  await checks.run("a session that ends in the middle of work loses nothing that was typed", () =>
    playOn(browser, world, desktop, "", endedSession),
  );
  await checks.run("a network that falls silent is not called live, and the page goes on by itself after it", () =>
    lostNetwork(browser, world),
  );
  await checks.run("a page whose styles are lost on the way is not shown without them", () =>
    playOn(browser, world, desktop, "", lostStyles),
  );
  await checks.run("after a restart of the server the stream goes on by itself", () =>
    playOn(browser, world, desktop, "", restarted),
  );
  await checks.run("an update of the server under an open page loads it anew, once and never over what is typed", () =>
    playOn(browser, world, desktop, "", updated),
  );
  await checks.run("too many sign-ins are told how long to wait, second by second", async () => {
    await using slow = await new World({ SERVICE_SIGNIN_RATE: "1" }).start();
    return await playOn(browser, slow, desktop, "", throttled);
  });
}

async function comesAndGoes({ world, page, window }: Stage): Promise<string> {
  await enter(window, admin);
  await page.goto("/settings/about");
  await live(page).waitFor();
  await page.evaluate("window.isTheSamePage = true");
  const entry = page.getByRole("link", { name: "Mesh of otters", exact: true });
  const api = await openApi(world);
  await api.move("acme-mesh", "installed");
  const started = performance.now();
  await api.move("acme-mesh", "active");
  await entry.waitFor();
  const came = performance.now() - started;
  await api.move("acme-mesh", "disabled");
  await entry.waitFor({ state: "detached" });
  if ((await page.evaluate("window.isTheSamePage")) !== true) throw new Error("the page was loaded anew");
  return `shown ${Math.round(came)} ms after the call that activated it`;
}

/** What was read before the stream was open, and changed before it was open. */
async function lateStream({ world, page, window }: Stage): Promise<void> {
  await enter(window, admin);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  await page.route("**/api/events*", async (route) => {
    await opened;
    await route.continue();
  });
  await page.goto("/users");
  const users = page.getByRole("table", { name: "Users" }).getByRole("row");
  await users.filter({ hasText: admin.username }).waitFor();
  const api = await openApi(world);
  await api.newUser("in-between", "viewer");
  open();
  await users.filter({ hasText: "in-between" }).waitFor();
}

async function endedSession({ page, window }: Stage): Promise<void> {
  window.expectComplaint(/status of 401/);
  await enter(window, admin);
  await page.goto("/tokens");
  await page.getByRole("button", { name: "Issue a token…" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Issue a token" });
  await dialog.getByLabel("Name", { exact: true }).fill("typed before the end");
  await dialog.getByLabel("audit:read", { exact: true }).check();
  await window.context.clearCookies();
  await dialog.getByRole("button", { name: "Issue the token" }).click();
  const again = page.getByRole("dialog", { name: "Your session has ended" });
  await again.getByLabel("Password", { exact: true }).fill(admin.password);
  if ((await dialog.getByLabel("Name", { exact: true }).inputValue()) !== "typed before the end") {
    throw new Error("what was typed is gone");
  }
  await again.getByRole("button", { name: "Sign in", exact: true }).click();
  // The call that was refused is repeated: the token is issued with what was typed.
  await page.getByRole("dialog", { name: "typed before the end is issued" }).waitFor();
}

async function restarted({ world, page, window }: Stage): Promise<string> {
  window.expectComplaint(/ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/);
  window.expectComplaint(/status of 503/);
  window.expectComplaint(/ERR_FAILED/);
  await enter(window, admin);
  // The menus come last. Here they are still on their way when the server goes.
  await page.route("**/assets/top-menus*", (route) => route.abort());
  await page.goto("/users");
  await live(page).waitFor();
  await page.evaluate("window.isTheSamePage = true");
  await world.stop();
  await page
    .getByRole("status")
    .filter({ hasText: /Reconnecting|Offline/ })
    .first()
    .waitFor();
  // Neither loaded nor pointed at before. It is told of, and may be asked for again, while nobody is there.
  await page.getByRole("link", { name: "Marketplace", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Waiting for the server" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await world.start();
  const started = performance.now();
  await live(page).waitFor();
  const back = performance.now() - started;
  await page.getByRole("heading", { level: 1, name: "Marketplace" }).waitFor();
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await page.unroute("**/assets/top-menus*");
  await page.getByRole("button", { name: /Account: / }).waitFor();
  await page.waitForFunction(
    "[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null)",
  );
  const api = await openApi(world);
  await api.newUser("after-the-restart", "viewer");
  await page.getByRole("row").filter({ hasText: "after-the-restart" }).waitFor();
  if ((await page.evaluate("window.isTheSamePage")) !== true) throw new Error("the page was loaded anew");
  return `live again ${(back / 1_000).toFixed(1)} s after the server was`;
}

async function throttled({ page, window }: Stage): Promise<void> {
  window.expectComplaint(/status of (401|429)/);
  await page.goto("/login");
  const alert = page.getByRole("alert").first();
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await page.getByLabel("Name", { exact: true }).fill("admin");
    await page.getByLabel("Password", { exact: true }).fill(`wrong guess number ${attempt}`);
    const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/auth/login"));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    if ((await answered).status() !== 429) continue;
    await alert.filter({ hasText: /in \d+ s/ }).waitFor();
    // Beside it the words for a screen reader, which do not change.
    const shown = alert.locator("span[aria-hidden]");
    const secondsLeft = async () => Number(/in (\d+) s/.exec(await shown.innerText())?.[1]);
    const first = await secondsLeft();
    await until("the seconds are counted down", async () => (await secondsLeft()) < first);
    return;
  }
  throw new Error("eight wrong passwords were not slowed down");
}

function live(page: Stage["page"]) {
  return page.getByRole("status").filter({ hasText: "Live" }).first();
}
