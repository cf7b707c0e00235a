import { expect, test } from "vitest";
import { type MenuPage, menuPages, menuPagesFor, pageAt, pages } from "./page-table.ts";

test.each(pages.filter(({ path }) => !path.includes("$")))(
  "the address $path leads to the page of that path",
  (page) => {
    expect(pageAt(page.path)).toBe(page);
  },
);

test.each([
  ["/nodes/node_1", "NodePage"],
  ["/plans/new", "NewPlanPage"],
  ["/plans/plan_1", "PlanPage"],
  ["/plugins/", "PluginsPage"],
  ["/plugins/acme.hello", "PluginPage"],
  ["/apps/mesh/peers", "AppPage"],
  ["/apps/", "NotFoundPage"],
  ["/plugins/a/b", "NotFoundPage"],
  ["/plugins/$id", "PluginPage"],
  ["/nowhere", "NotFoundPage"],
  ["/toString", "NotFoundPage"],
  ["$", "NotFoundPage"],
])("the address %s leads to %s", (address, file) => {
  expect(pageAt(address).file).toBe(file);
});

test("no two pages share an address, a file or a key", () => {
  const once = (words: readonly string[]) => expect(words.toSorted()).toEqual([...new Set(words)].toSorted());
  once(pages.map(({ path }) => path));
  once(pages.map(({ file }) => file));
  once(menuPages.flatMap(({ menu }) => menu.key ?? []));
});

test("the menu shows what the scopes open, in the order of the table", () => {
  const paths = (shown: readonly MenuPage[]) => shown.map(({ path }) => path);
  expect(paths(menuPagesFor([]))).toEqual(["/", "/marketplace", "/settings/security", "/tokens", "/settings/about"]);
  expect(paths(menuPagesFor(["audit:read"]))).toContain("/audit");
  expect(
    paths(
      menuPagesFor([
        "audit:read",
        "log:read",
        "node:read",
        "plan:read",
        "plugin:admin",
        "settings:admin",
        "user:admin",
      ]),
    ),
  ).toEqual(paths(menuPages));
});
