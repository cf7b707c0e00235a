import { type OverviewKind, overviewKindNames, overviewKinds, sayOverviewCount } from "@gatehouse/contract";
import { expect, test } from "vitest";
import type { OverviewItem, OverviewList } from "../../api/overview.ts";
import { hrefOf, linksOf } from "./overview-places.ts";
import { rowsOf } from "./overview-rows.ts";

const item = (kind: OverviewKind, id: string, more: Partial<OverviewItem> = {}): OverviewItem => ({
  kind,
  level: "host",
  subject: { type: "node", id, name: id },
  word: overviewKinds[kind].word,
  title: `${id} is offline`,
  line: "A line.",
  since: null,
  until: null,
  ...more,
});

/** So many of each kind, of which the first fifty are named. */
function listWith(counts: Partial<Record<OverviewKind, number>>): OverviewList {
  const kinds = overviewKindNames.filter((kind) => counts[kind] !== undefined);
  const items = kinds.flatMap((kind) =>
    Array.from({ length: Math.min(counts[kind] ?? 0, 50) }, (_, at) => item(kind, `${kind}-${at}`)),
  );
  const all = kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  return {
    items,
    more: all - items.length,
    counts: kinds.map((kind) => {
      const count = counts[kind] ?? 0;
      return { kind, count, says: sayOverviewCount(kind, count) };
    }),
  };
}

test("up to so many stand each in a row of their own", () => {
  const rows = rowsOf(listWith({ chain: 1, offline: 7 }), 8);
  expect(rows).toHaveLength(8);
  expect(rows[1]).toMatchObject({ title: "offline-0 is offline", href: "/nodes/offline-0", state: "off" });
});

test("above that what is alike is one row, which counts all of them and names the first", () => {
  const rows = rowsOf(listWith({ chain: 1, offline: 1_200, plugin: 2 }), 8);
  expect(rows.map(({ title, line, href }) => [title, line, href])).toEqual([
    ["chain-0 is offline", "A line.", "/nodes/chain-0"],
    ["1,200 hosts are offline", "offline-0, offline-1, offline-2 and 1,197 more.", "/nodes?state=offline"],
    ["2 plugins fail", "plugin-0, plugin-1.", "/plugins?state=failing"],
  ]);
});

test("a row of many has the newest of their beginnings and the first of their ends", () => {
  const many = listWith({ token_expiring: 9 });
  const items = many.items.map((one, at) => ({
    ...one,
    since: `2026-11-1${at}T00:00:00.000Z`,
    until: at === 4 ? null : `2026-12-0${9 - at}T00:00:00.000Z`,
  }));
  expect(rowsOf({ ...many, items }, 8)[0]).toMatchObject({
    since: "2026-11-18T00:00:00.000Z",
    until: "2026-12-01T00:00:00.000Z",
  });
});

test("every kind leads somewhere or stands for itself, and a plan to those of its hosts that are meant", () => {
  for (const kind of overviewKindNames) {
    expect(() => hrefOf(item(kind, "x", { subject: { type: "server", id: "x", name: "x" } }))).not.toThrow();
  }
  const plan = { type: "plan", id: "plan_1", name: "Restart" } as const;
  expect(hrefOf(item("plan_failed", "x", { subject: plan }))).toBe("/plans/plan_1?task=failed_after_change");
  expect(hrefOf(item("review", "x", { subject: plan }))).toBe("/plans/plan_1");
  const bundle = { type: "bundle", id: "a b", name: "a b" } as const;
  expect(hrefOf(item("bundle", "x", { subject: bundle }))).toBe("/plugins?state=rejected#rejected-a%20b");
});

test("the head leads to the lists in which what is found stands, each once", () => {
  expect(linksOf(listWith({ plan_failed: 1, plan_rolled_back: 1, offline: 2 })).map(({ href }) => href)).toEqual([
    "/plans?state=done",
    "/nodes?state=offline",
  ]);
  expect(linksOf(listWith({ running: 1, approved: 1 })).map(({ href }) => href)).toEqual(["/plans"]);
  expect(linksOf(listWith({ disk: 1 }))).toEqual([]);
});
