import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { enter } from "./browser.ts";
import type { Checks } from "./checks.ts";
import { hasSlowCallTo, readPerf } from "./in-page.js";
import { type Form, playOn, type Stage } from "./stage.ts";
import { until } from "../support/until.ts";
import { admin, World } from "./world.ts";

const desktop: Form = { hand: "mouse", size: "desktop", theme: "light" };
const kilobyte = 1_024;

/** What is the same on every machine; how fast it is, `npm run bench:dashboard` measures. */
export async function judgeBudgets(checks: Checks, browser: Browser): Promise<void> {
  await using world = new World();
  await world.start();
  const on = (play: (stage: Stage) => Promise<string>) => () => playOn(browser, world, desktop, "", play);
  await checks.run(
    "the sign-in page loads at most 130 KB of JavaScript",
    on(async (stage) => weigh(stage, "/login", { js: 130, css: 30 })),
  );
  await checks.run(
    "the first load is at most 200 KB of JavaScript and 30 KB of CSS",
    on(async (stage) => {
      await enter(stage.window, admin);
      return weigh(stage, "/", { js: 200, css: 30 });
    }),
  );
  await checks.run("calls are timed; slow ones are warned of and the last 50 kept", on(slowCalls));
}

interface Weight {
  readonly js: number;
  readonly css: number;
}

async function weigh({ page, window }: Stage, path: string, most: Weight): Promise<string> {
  const sizes = { js: 0, css: 0 };
  const weighing: Promise<void>[] = [];
  page.on("response", (response) => {
    const kind = /\.(js|css)$/.exec(new URL(response.url()).pathname)?.[1] as "js" | "css" | undefined;
    if (kind === undefined) return;
    weighing.push(
      response.body().then((body) => void (sizes[kind] += gzipSync(body, { level: 9 }).byteLength / kilobyte)),
    );
  });
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).filter({ visible: true }).first().waitFor();
  await window.quiet();
  const files = weighing.length;
  await Promise.all(weighing);
  const words = `${sizes.js.toFixed(1)} KB of JavaScript, ${sizes.css.toFixed(1)} KB of CSS, gzipped, in ${files} files`;
  if (sizes.js > most.js || sizes.css > most.css) throw new Error(words);
  return words;
}

async function slowCalls({ page, window }: Stage): Promise<string> {
  const warned: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "warning" && message.text().startsWith("slow:")) warned.push(message.text());
  });
  window.expectComplaint(/ERR_FAILED/);
  await enter(window, admin);
  await page.goto("/settings/about");
  if ((await page.evaluate(readPerf))?.length !== 0)
    throw new Error("there is no empty list before the first slow call");
  await page.route("**/api/tokens?*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await route.continue();
  });
  await page.goto("/tokens");
  await page.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
  await page.waitForFunction(hasSlowCallTo, "/api/tokens");
  const first = await page.evaluate(readPerf);
  if (first?.some(({ name, ms }) => name.includes("/api/tokens") && ms >= 1_000) !== true) {
    throw new Error(`the slow call is not kept: ${JSON.stringify(first)}`);
  }
  await until("the slow call is warned of", () => warned.some((line) => line.includes("/api/tokens")));
  await page.unroute("**/api/tokens?*");
  // A clock that runs away makes every call slow, so that more than 50 of them are met without waiting.
  await page.evaluate(
    `{ let ahead = 0; const now = performance.now.bind(performance); performance.now = () => now() + (ahead += 1500); }`,
  );
  await page.route("**/api/users?*", (route) => route.abort());
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Users", exact: true }).click();
  await page.waitForFunction(hasSlowCallTo, "/api/users");
  await page.unroute("**/api/users?*");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Audit", exact: true }).click();
  const search = page.getByLabel("Search", { exact: true });
  for (let round = 0; round < 55; round += 1) {
    const answered = page.waitForResponse((answer) => answer.url().includes(`text=word${round}`));
    await search.fill(`word${round}`);
    await search.press("Enter");
    await answered;
  }
  await until("more than fifty calls are warned of", () => warned.length > 55);
  const kept = (await page.evaluate(readPerf))?.length;
  if (kept !== 50) throw new Error(`of ${warned.length} slow calls ${kept} are kept`);
  return `${kept} of more than 55 slow calls are kept`;
}
