import { expect, test } from "vitest";
import { unitOf } from "../../ui/world/mercator.ts";
import { clusterSites, zoomStep } from "./cluster-sites.ts";
import type { Site } from "./join-places.ts";
import { sitesOf } from "./sample-place.ts";

test("far out what is near each other is one disc, close in every place is its own", () => {
  const sites = sitesOf({ offenbach: 3, frankfurt: 5, newYork: 2 });
  const far = clusterSites(sites, 1);
  expect(far.map(({ size, sites: some }) => [size, some.length])).toEqual([
    [8, 2],
    [2, 1],
  ]);
  expect(far[0]?.key).toBe(sites[0]?.key);
  expect(clusterSites(sites, 9).map(({ size }) => size)).toEqual([5, 3, 2]);
});

test("a disc stands where most of its hosts are, and counts how they stand", () => {
  const [cluster] = clusterSites(sitesOf({ frankfurt: 30, offenbach: 10 }, { state: "offline" }), 1);
  const [frankfurt, offenbach] = sitesOf({ frankfurt: 30, offenbach: 10 });
  if (frankfurt === undefined || offenbach === undefined) throw new Error("there are two sites");
  expect(cluster?.unit.x).toBeCloseTo(frankfurt.unit.x + (offenbach.unit.x - frankfurt.unit.x) / 4, 9);
  expect(cluster?.counts).toMatchObject({ offline: 2, healthy: 38 });
});

test("no host is lost or counted twice among ten thousand places, at any zoom", () => {
  const many: Site[] = Array.from({ length: 10_000 }, (_none, at) => {
    const spot = { longitude: ((at * 137.508) % 360) - 180, latitude: ((at * 61.803) % 150) - 75 };
    return { ...spot, key: String(at), unit: unitOf(spot), label: null, nodes: sitesOf({ sydney: 1 })[0]?.nodes ?? [] };
  });
  for (const zoom of [0, 1.5, 4, 9]) {
    const clusters = clusterSites(many, zoom);
    expect(new Set(clusters.flatMap(({ sites }) => sites)).size).toBe(10_000);
    expect(clusters.reduce((sum, { size }) => sum + size, 0)).toBe(10_000);
  }
  expect(clusterSites(many, 0).length).toBeLessThan(120);
});

test("between two half levels nothing is parted or joined", () => {
  expect([1.3, 1.5, 1.7, 1.76].map(zoomStep)).toEqual([1.5, 1.5, 1.5, 2]);
});
