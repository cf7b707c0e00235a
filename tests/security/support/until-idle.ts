import { setTimeout as delay } from "node:timers/promises";
import type { Page, Request } from "playwright-core";
import { stopMs } from "../../support/stopped.ts";

/**
 * Gives the way to wait until a page has nothing left to do: no request under way but the stream of events, and no work
 * of its own. What it was going to do by itself has been done by then.
 */
export function watchIdle(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  page.on("request", (request) => {
    if (new URL(request.url()).pathname !== "/api/events") underWay.add(request);
  });
  page.on("requestfinished", (request) => underWay.delete(request));
  page.on("requestfailed", (request) => underWay.delete(request));
  return async () => {
    // Twice in a row: an answer may have led to the next question.
    for (let [quiet, end] = [0, Date.now() + stopMs]; quiet < 2; quiet = underWay.size === 0 ? quiet + 1 : 0) {
      if (Date.now() > end) throw new Error(`stopped: ${[...underWay].map((request) => request.url()).join()}`);
      await page.evaluate("new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done(null))))");
      if (underWay.size > 0) await delay(5);
    }
  };
}
