import { expect, test } from "vitest";
import { metricsHref, readMetricsAddress } from "./metrics-address.ts";

const now = Date.parse("2026-11-17T03:12:40Z");
const read = (search: Record<string, unknown>) => readMetricsAddress(search, now);
/** As the router reads an address, for texts that are no JSON. */
const readHref = (href: string) => read(Object.fromEntries(new URLSearchParams(href.split("?")[1] ?? "")));

test("without a word: network out, the last hour, and nobody has chosen nodes", () => {
  expect(read({})).toEqual({
    nodes: undefined,
    metric: "netOut",
    range: "hour",
    stretch: { lastMs: 3_600_000 },
    pick: undefined,
    at: undefined,
  });
  expect(metricsHref(read({}))).toBe("/metrics");
});

test.each([
  "/metrics?nodes=node_a%2Cnode_b&metric=cpu&range=week&pick=node_b",
  "/metrics?nodes=&range=month",
  "/metrics?metric=disk&from=2026-11-17T02%3A30Z&to=2026-11-17T02%3A50Z&at=2026-11-17T02%3A48Z",
])("what %s says is read, and written the same again", (href) => {
  expect(metricsHref(readHref(href))).toBe(href);
});

test("nobody's nodes and no nodes are two things", () => {
  expect(read({ nodes: "" }).nodes).toEqual([]);
  expect(read({ nodes: "a,,b,a" }).nodes).toEqual(["a", "b"]);
  expect(read({ nodes: Array.from({ length: 20 }, (_, at) => at).join(",") }).nodes).toHaveLength(12);
});

test.each([
  [{ metric: "temperature", range: "year", nodes: 7, pick: {}, at: "then" }],
  [{ from: "2026-11-17T02:50Z", to: "2026-11-17T02:30Z" }],
  [{ from: "2026-11-18T02:30Z", to: "2026-11-18T02:50Z" }],
  [{ from: "2026-11-17T02:30Z" }],
  [{ from: 5, to: 9 }],
])("what cannot be is left out: %j", (search) => {
  expect(read(search)).toEqual(read({}));
});

test("a stretch of one's own ends now at the latest, and has its whole minutes", () => {
  const { range, stretch } = read({ from: "2026-11-17T02:30:20Z", to: "2026-11-17T09:00Z", range: "day" });
  expect(range).toBe("own");
  expect(stretch).toEqual({ from: Date.parse("2026-11-17T02:30Z"), to: Date.parse("2026-11-17T03:12Z") });
});
