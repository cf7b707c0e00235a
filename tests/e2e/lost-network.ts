import type { Browser } from "playwright-core";
import { openApi } from "./api.ts";
import { enter, openWindow } from "./browser.ts";
import { openNetwork } from "./network.ts";
import type { Stage } from "./stage.ts";
import { admin, type World } from "./world.ts";

/** A network that stops carrying anything, and one of which the browser knows that it is gone. */
export async function lostNetwork(browser: Browser, world: World): Promise<string> {
  await using network = await openNetwork(world.baseUrl);
  await using window = await openWindow(browser, network, { size: "desktop", theme: "light" });
  const { page, context } = window;
  window.expectComplaint(/ERR_INTERNET_DISCONNECTED/);
  await enter(window, admin);
  // The page's own clock, so that nobody has to wait for half a minute of silence.
  await page.clock.install();
  await page.goto("/users");
  await mark(page, "Live").waitFor();
  await page.getByRole("row", { name: /^admin you/ }).waitFor();
  await page.clock.fastForward(20_000);
  if (!(await mark(page, "Live").isVisible())) throw new Error("twenty seconds of silence are not the end of a stream");

  network.freeze();
  await page.clock.fastForward(40_000);
  await mark(page, /Reconnecting|Offline/).waitFor();
  await banner(page).waitFor();
  const words = await banner(page).innerText();
  if (!/What you see is from \d\d:\d\d\./.test(words)) throw new Error(`the banner says: ${words}`);
  const api = await openApi(world);
  await api.newUser("while-nobody-heard", "viewer");
  network.thaw();
  await mark(page, "Live").waitFor();
  await banner(page).waitFor({ state: "detached" });
  // By its event, which the new stream begins with: the page was not loaded anew and nothing was asked for by a person.
  await page.getByRole("row").filter({ hasText: "while-nobody-heard" }).waitFor();

  await context.setOffline(true);
  await mark(page, /Reconnecting|Offline/).waitFor();
  await banner(page).waitFor();
  await context.setOffline(false);
  await mark(page, "Live").waitFor();
  await banner(page).waitFor({ state: "detached" });
  const complaints = await window.complaints();
  if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join("; ")}`);
  return words.replaceAll(/\s+/g, " ");
}

function mark(page: Stage["page"], word: string | RegExp) {
  return page.getByRole("banner").getByRole("status").filter({ hasText: word }).first();
}

function banner(page: Stage["page"]) {
  return page.getByRole("main").getByRole("status").filter({ hasText: "The server cannot be reached." });
}
