import { expect, test } from "vitest";
import { bundleLines, countHidden, countLines } from "./bundle-lines.ts";
import { clusterSites } from "./cluster-sites.ts";
import { sitesOf } from "./sample-place.ts";

const clusters = clusterSites(sitesOf({ frankfurt: 3, offenbach: 2, sydney: 2 }), 1);
const line = (from: string, to: string, state: "up" | "degraded" | "down" | "planned" | "unknown", label = "wg0") => ({
  from: `node_${from}`,
  to: `node_${to}`,
  state,
  label,
});

test("lines between two discs are one, whichever way they go, and the worst says how it is drawn", () => {
  const bundles = bundleLines(clusters, [
    line("frankfurt0", "sydney0", "up"),
    line("sydney1", "offenbach0", "down"),
    line("frankfurt1", "sydney1", "up"),
  ]);
  expect(bundles.map(({ from, to, state, words }) => [from.size + to.size, state, words])).toEqual([
    [7, "down", "1 of 3 down"],
  ]);
});

test("one line in trouble says what its plugin says of it; what is well says nothing", () => {
  const said = (state: Parameters<typeof line>[2]) =>
    bundleLines(clusters, [line("frankfurt0", "sydney0", state, "last handshake 03:08")]).map(({ words }) => words);
  expect(said("degraded")).toEqual(["last handshake 03:08"]);
  expect(said("up")).toEqual([""]);
  expect(said("planned")).toEqual([""]);
});

test("what nobody knows more of is drawn so only where nothing better is known", () => {
  const state = (...states: Parameters<typeof line>[2][]) =>
    bundleLines(
      clusters,
      states.map((one) => line("frankfurt0", "sydney0", one)),
    )[0]?.state;
  expect(state("planned", "unknown")).toBe("unknown");
  expect(state("planned", "up")).toBe("up");
  expect(state("up", "degraded")).toBe("degraded");
});

test("lines inside one disc and lines to hosts that are not shown are not drawn", () => {
  expect(bundleLines(clusters, [line("frankfurt0", "offenbach1", "up"), line("frankfurt0", "gone", "up")])).toEqual([]);
  expect(countHidden([line("a", "b", "up"), line("a", "c", "up")], new Set(["node_a", "node_b"]))).toBe(1);
  expect(countLines([line("a", "b", "up"), line("a", "c", "up"), line("a", "d", "planned")])).toEqual({
    down: 0,
    degraded: 0,
    up: 2,
    unknown: 0,
    planned: 1,
  });
});
