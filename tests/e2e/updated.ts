import type { Page } from "playwright-core";
import { enter } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { until } from "../support/until.ts";
import { admin } from "./world.ts";

/**
 * What an open page meets after an update: the files it knows are answered 404, and the server's page names others. The
 * addresses are changed on the way; the answers are the server's own.
 */
export async function updated(stage: Stage): Promise<string> {
  const { page, window } = stage;
  window.expectComplaint(/status of 404|Refused to apply style/);
  await enter(window, admin);
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "document") loads.push(new URL(request.url()).pathname);
  });

  // Something is typed: it is asked, and nothing is lost.
  await page.goto("/settings/security");
  const field = page.getByLabel("Current password", { exact: true });
  await field.fill("half-written");
  const update = await updateBehind(page);
  // Pointed at, a page is loaded before it is opened.
  await page.getByRole("link", { name: "Tokens", exact: true }).hover();
  await banner(page).waitFor();
  if ((await field.inputValue()) !== "half-written") throw new Error("what was typed is gone");
  await banner(page).getByRole("button", { name: "Load the page again" }).click();
  await until("the page was loaded anew when asked to", () => loads.length === 2);

  // Nothing is typed: the page that was asked for comes after one load by itself.
  await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
  await page.getByRole("link", { name: "Tokens", exact: true }).click();
  await until("the page was loaded anew by itself", () => loads.length === 3);
  // Still the same update, as behind two servers that differ: it is said, and the page is left alone. Where the frame of the
  // dashboard was slow as well, that stands in the place of all of it.
  await page.getByRole("heading", { level: 1, name: "Gatehouse was updated." }).waitFor();
  await update.seen(4);
  if (loads.length !== 3) throw new Error(`the page was loaded again and again: ${loads.join(", ")}`);
  await update.end();
  await page.getByRole("button", { name: "Load the page again" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
  return `${loads.length} loads: ${loads.join(", ")}`;
}

async function updateBehind(page: Page) {
  const tokens = "**/assets/tokens-page*";
  const front = (url: URL) => url.pathname === "/";
  let asked = 0;
  const answer = await page.request.get("/");
  const body = (await answer.text()).replaceAll(/\/assets\/index\.[0-9a-f]+\.js/g, "/assets/index.0123456789ab.js");
  // A page that is loaded anew does not wait for what it asked: then there is nobody to answer.
  const given = (answered: Promise<void>) => answered.catch(() => undefined);
  await page.route(tokens, (route) =>
    given(
      route.continue({
        url: route
          .request()
          .url()
          .replace(/tokens-page/, "gone"),
      }),
    ),
  );
  await page.route(front, (route) => {
    asked += 1;
    return given(route.fulfill({ body, headers: answer.headers() }));
  });
  return {
    /** The page found out this often that the server's page is another. */
    seen: (times: number) => until("the page looks at the server's page again", () => asked >= times),
    end: async () => {
      await page.unroute(tokens);
      await page.unroute(front);
    },
  };
}

function banner(page: Page) {
  return page.getByRole("main").getByRole("status").filter({ hasText: "Gatehouse was updated." }).first();
}
