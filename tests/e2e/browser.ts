import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { stopMs } from "../support/stopped.ts";
import { watchCalls } from "./calls-under-way.ts";
import { readWatched, watchPage } from "./in-page.js";
import type { World } from "./world.ts";

/** The widths that people have: a phone, a tablet upright and across, a desk. Every page is looked at in each. */
export const widths = [390, 768, 1024, 1440] as const;
export const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
export type Size = keyof typeof sizes;
export type Theme = "light" | "dark";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** The real Chromium of the machine. It reaches nothing but the server under test. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(`there is no ${executablePath}: install Debian's chromium, or name another in CHROMIUM`);
  }
  return chromium.launch({
    executablePath,
    timeout: stopMs,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface Look {
  readonly size: Size;
  readonly theme: Theme;
  /** A finger instead of a mouse, on a phone. */
  readonly touch?: boolean;
}

/** A window of its own, with everything kept that the page complained of. */
export interface Window extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the console, of scripts, and what the policy refused; empty when all is well. */
  complaints(): Promise<readonly string[]>;
  /** Everything that the page asked for was answered, and it asks for nothing more. */
  readonly quiet: () => Promise<void>;
  /** A complaint that the test causes on purpose. */
  expectComplaint(words: RegExp): void;
}

export async function openWindow(browser: Browser, { baseUrl }: Pick<World, "baseUrl">, look: Look): Promise<Window> {
  const isTouched = look.touch === true && look.size === "phone";
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: sizes[look.size],
    colorScheme: look.theme,
    locale: "en-GB",
    reducedMotion: "reduce",
    ...(isTouched && { hasTouch: true, isMobile: true }),
  });
  context.setDefaultTimeout(stopMs);
  await context.addInitScript(watchPage);
  const page = await context.newPage();
  const complaints: string[] = [];
  // Without a network of its own: other work on the machine adds and removes interfaces, and Chromium tells of each.
  const expected: RegExp[] = [/ERR_NETWORK_CHANGED/];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  return {
    context,
    page,
    complaints: async () => {
      const watched = await page.evaluate(readWatched);
      const refused = watched.violations.map((line) => `policy: ${line}`);
      return [...complaints, ...refused].filter((line) => !expected.some((words) => words.test(line)));
    },
    quiet: watchCalls(page).quiet,
    expectComplaint: (words) => void expected.push(words),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** A session without the form, for everything that is not about signing in. */
export async function enter(
  { context }: Pick<Window, "context">,
  who: { readonly username: string; readonly password: string },
): Promise<void> {
  const { username, password } = who;
  const answer = await context.request.post("/api/auth/login", {
    data: { username, password },
    headers: { "Sec-Fetch-Site": "same-origin" },
  });
  if (answer.status() !== 200) throw new Error(`${username} was answered ${answer.status()}: ${await answer.text()}`);
}
