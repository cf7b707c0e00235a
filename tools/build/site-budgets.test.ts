import { beforeAll, expect, test } from "vitest";
import { builtOnce } from "./built-once.ts";
import { budgets, type Weight, weigh } from "./site-budgets.ts";
import type { BuiltSite } from "./site-files.ts";

let site: BuiltSite;
beforeAll(async () => {
  site = await builtOnce();
});

const within = (weight: Weight, budget: Weight) => {
  expect(weight.script).toBeGreaterThan(50_000);
  expect(weight.script).toBeLessThanOrEqual(budget.script);
  expect(weight.style).toBeGreaterThan(1_000);
  expect(weight.style).toBeLessThanOrEqual(budget.style);
};

test("the sign-in page loads at most 130 KB of script", () => {
  within(weigh(site, ["sign-in-page.js"]), budgets.signIn);
});

test.each(["overview", "plugins", "plugin", "marketplace", "audit", "tokens", "users", "security", "about", "app"])(
  "the first load of the page %s is at most 200 KB of script",
  (page) => {
    within(weigh(site, ["shell.js", `${page}-page.js`]), budgets.firstLoad);
  },
);

test("what is seldom used comes late: the palette is not in the first load", () => {
  const shell = weigh(site, ["shell.js"]).script;
  expect(weigh(site, ["shell.js", "palette.js"]).script).toBeGreaterThan(shell + 5_000);
});
