import type { Page, Request } from "playwright-core";
import { whenIdle } from "./in-page.js";
import { until } from "../support/until.ts";

/** Watches what a page asks for, save the stream of events, which never ends. */
export function watchCalls(page: Page): { readonly quiet: () => Promise<void> } {
  const underWay = new Set<Request>();
  let begun = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/events") return;
    underWay.add(request);
    begun += 1;
  });
  const forget = (request: Request) => void underWay.delete(request);
  page.on("requestfinished", forget);
  page.on("requestfailed", forget);
  return {
    /** Everything was answered, and the page, drawn anew and idle, asked for nothing more. */
    quiet: async () => {
      for (let before = -1; before !== begun; ) {
        before = begun;
        await until("calls of the page under way", () => underWay.size === 0);
        await page.evaluate(whenIdle);
      }
    },
  };
}
