import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Under a modal dialog nothing can be read or used, and what lies on top of it would be taken for its background: the last
 * one that opened is then the whole page. Left out: the marks at the edges of a menu, which the library puts there to hand the focus on. Nobody is ever on one, so
 * it is hidden from screen readers on purpose, and axe cannot know. Preloaded is what the one rule needs that looks at media:
 * style sheets axe would copy into the page, which its policy refuses.
 */
const run = `axe.run({
  include: [[...document.querySelectorAll("dialog:modal")].at(-1) ?? document],
  exclude: [["[data-base-ui-focus-guard]"]],
}, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  resultTypes: ["violations"],
  preload: { assets: ["media"] },
})`;

interface Result {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe finds against WCAG 2.2 AA on the page as it stands, a line for each. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so that the page's own policy stays as it is.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(source);
  const { violations } = (await page.evaluate(run)) as Result;
  return violations.map(({ id, help, nodes }) => {
    const [first] = nodes;
    const more = nodes.length > 1 ? ` and ${nodes.length - 1} more` : "";
    return `${id}: ${help} at ${first?.html.slice(0, 160)}${more} (${first?.failureSummary.replaceAll(/\s+/g, " ").slice(0, 200)})`;
  });
}
