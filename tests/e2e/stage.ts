import { join, relative, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { findViolations } from "./accessibility.ts";
import { type Look, openWindow, type Window } from "./browser.ts";
import { type Hand, keyboard, mouse } from "./hand.ts";
import { overflowsSideways } from "./in-page.js";
import type { World } from "./world.ts";

/** One form of a journey. */
export interface Form extends Look {
  readonly hand: Hand["kind"];
}

/** Where a journey is played. */
export interface Stage {
  readonly world: World;
  readonly window: Window;
  readonly page: Page;
  readonly hand: Hand;
  readonly form: Form;
  /** A word that no other play of the run has, for the names of things. */
  readonly word: string;
  /** Accessibility, and no scrolling sideways; for the page as it stands, an open dialog included. */
  readonly judge: (what: string) => Promise<void>;
}

/** Opens a window, plays, and asks at the end whether the page complained of anything. */
export async function playOn(
  browser: Browser,
  world: World,
  form: Form,
  word: string,
  play: (stage: Stage) => Promise<string | void>,
): Promise<string | void> {
  await using window = await openWindow(browser, world, { ...form, touch: form.hand === "mouse" });
  const { page } = window;
  const hand = form.hand === "mouse" ? mouse(page, form.size === "phone") : keyboard(page);
  // A journey goes on over them: the next page may have others.
  const findings: string[] = [];
  const judge = async (what: string): Promise<void> => {
    // What is on its way would change the page while it is judged.
    await window.quiet();
    const found = await findViolations(page);
    const wide = await page.evaluate(overflowsSideways);
    if (wide > 0) found.push(`the page is ${wide} px wider than the window`);
    findings.push(...found.map((line) => `${what}: ${line}`));
  };
  try {
    const said = await play({ world, window, page, hand, form, word, judge });
    await addComplaints();
    if (findings.length === 0) return said;
  } catch (error) {
    findings.unshift(error instanceof Error ? error.message : String(error));
    await addComplaints().catch(() => undefined);
    const picture = join(failures, `${play.name}-${formWords(form).replaceAll(", ", "-")}.png`);
    await page.screenshot({ path: picture }).catch(() => undefined);
    findings.push(`at ${page.url()}, see ${relative(process.cwd(), picture)}`);
  }
  throw new Error([...new Set(findings)].join("\n"));

  async function addComplaints(): Promise<void> {
    findings.push(...(await window.complaints()).map((line) => `the page complained: ${line}`));
  }
}

const failures = resolve(import.meta.dirname, "../../.screenshots/failed");

export function formWords({ hand, size, theme }: Form): string {
  return `${hand}, ${size}, ${theme}`;
}

const hands = ["mouse", "keyboard"] as const;
const themes = ["light", "dark"] as const;

export const allForms: readonly Form[] = hands.flatMap((hand) =>
  (["desktop", "phone"] as const).flatMap((size) => themes.map((theme) => ({ hand, size, theme }))),
);

/** Two forms that have nothing in common; the next journey gets the next two, so all of them are met. */
export function shortForms(at: number): readonly Form[] {
  const [hand, size] = at % 2 === 0 ? (["mouse", "desktop"] as const) : (["keyboard", "desktop"] as const);
  const theme = at % 4 < 2 ? "light" : "dark";
  return [
    { hand, size, theme },
    { hand: hand === "mouse" ? "keyboard" : "mouse", size: "phone", theme: theme === "light" ? "dark" : "light" },
  ];
}
