import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { setup, teardown } from "../acceptance/driver/scratch.ts";
import { enter, openBrowser, openWindow } from "../e2e/browser.ts";
import { readHeadingMs, scrollAndMeasure, watchHeading } from "../e2e/in-page.js";
import { seedLog } from "../e2e/seed-log.ts";
import { admin, World } from "../e2e/world.ts";
import { benchArguments, concludeBench } from "./measure.ts";
import { median } from "../support/percentile.ts";

/**
 * `npm run bench:dashboard [-- --short]`: how soon the dashboard is usable on a slow processor, and how smoothly ten thousand rows
 * scroll, in a real Chromium. Beside each the same on a page that holds nothing, in turn: what the browser and the machine cost.
 */
const { short } = benchArguments();
const rounds = short ? 5 : 15;
const rows = 10_000;
const usableMs = 1_500;
const frameMs = 50;
const desktop = { size: "desktop", theme: "light" } as const;

setup();
try {
  await buildIfOld();
  await using browser = await openBrowser();
  await using world = new World();
  await seedLog(world.dataDir, rows);
  await world.start();
  await using bare = await serveBare();
  console.log(`bench:dashboard, Chromium ${browser.version()}, ${rounds} rounds`);
  const loads = await coldLoads(browser, world, bare.url);
  const scrolls = await scrollMany(browser, world, bare.url);
  concludeBench(
    "bench:dashboard",
    [
      { name: "cold load, median", found: median(loads.ours), goal: usableMs, atLeast: false, unit: " ms" },
      { name: "longest frame, median", found: median(scrolls.ours), goal: frameMs, atLeast: false, unit: " ms" },
    ],
    `usable ${Math.round(median(loads.ours))} ms after a cold start with the processor slowed down four times (an empty page ${Math.round(median(loads.bare))}); ` +
      `longest frame of a scroll over ${rows} rows ${Math.round(median(scrolls.ours))} ms (an empty page ${Math.round(median(scrolls.bare))}), medians of ${rounds}`,
  );
} finally {
  teardown();
}

interface Pairs {
  readonly ours: number[];
  readonly bare: number[];
}

/** Usable is when the opening sentence, with what the server said, was painted; measured in the page itself. */
async function coldLoads(browser: Browser, world: World, bareUrl: string): Promise<Pairs> {
  const pairs: Pairs = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    await using window = await openWindow(browser, world, desktop);
    await enter(window, admin);
    pairs.ours.push(await coldLoad(window.page, "/"));
    const words = await window.page.getByRole("heading", { level: 1 }).innerText();
    if (!words.includes("audit chain is whole")) throw new Error(`the first heading was "${words}"`);
    await using empty = await openWindow(browser, { baseUrl: bareUrl }, desktop);
    pairs.bare.push(await coldLoad(empty.page, "/"));
  }
  console.log(`  cold loads ${list(pairs.ours)} ms, of an empty page ${list(pairs.bare)} ms`);
  return pairs;
}

async function coldLoad(page: Page, path: string): Promise<number> {
  await page.addInitScript(watchHeading);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(path, { waitUntil: "commit" });
  const seen = await page.waitForFunction(readHeadingMs, undefined, { polling: 200 });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return (await seen.jsonValue()) ?? Number.POSITIVE_INFINITY;
}

/** The longest frame of each scroll from the newest entry to the oldest. */
async function scrollMany(browser: Browser, world: World, bareUrl: string): Promise<Pairs> {
  await using window = await openWindow(browser, world, desktop);
  await enter(window, admin);
  await openWholeLog(window.page);
  await using empty = await openWindow(browser, { baseUrl: bareUrl }, desktop);
  await empty.page.goto("/");
  const pairs: Pairs = { ours: [], bare: [] };
  let over = 0;
  let frames = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const [page, longest] of [
      [window.page, pairs.ours],
      [empty.page, pairs.bare],
    ] as const) {
      await page.bringToFront();
      const { times, max, scrolled } = await page.evaluate(scrollAndMeasure, { from: 0, count: 400, pixels: 700 });
      if (scrolled < 200_000) throw new Error(`the list is only ${scrolled} px long`);
      longest.push(max);
      if (longest === pairs.bare) continue;
      over += times.filter((ms) => ms > frameMs).length;
      frames += times.length;
    }
  }
  console.log(`  longest frames ${list(pairs.ours)} ms, of an empty page ${list(pairs.bare)} ms`);
  console.log(`  ${over} of ${frames} frames over ${rows} rows were longer than ${frameMs} ms`);
  return pairs;
}

async function openWholeLog(page: Page): Promise<void> {
  await page.goto("/audit");
  const end = page.getByText(/the log has no older match/);
  const until = performance.now() + 60_000;
  while (!(await end.isVisible())) {
    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    await page.waitForTimeout(30);
    if (performance.now() > until) throw new Error("the log was not loaded to its end within a minute");
  }
}

/** A page that says a word and is as long as the list. */
async function serveBare(): Promise<AsyncDisposable & { readonly url: string }> {
  const page = `<!doctype html><html lang="en"><title>Bare</title><h1>Bare</h1><div style="height:500000px"></div>`;
  const server = createServer((_request, answer) => {
    answer.setHeader("Content-Type", "text/html; charset=utf-8");
    answer.end(page);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function list(values: readonly number[]): string {
  return values.map((ms) => Math.round(ms)).join(", ");
}
