import { expect, test } from "vitest";
import { sampleNode } from "../../widgets/Fleet/sample-node.ts";
import { groupPlaceless, sayLookup, sayPlaceless, sayPlaces } from "./say-places.ts";

const now = Date.parse("2026-11-17T03:12:00Z");
const lookup = { service: "ipwho.is", waiting: 0, trouble: null, answeredAt: null };
const counts = { byHand: 31, byLookup: 1_166 };

test("the foot says how the places are known, and who is asked", () => {
  expect(sayPlaces(counts, lookup, now)).toBe(
    "Places: 31 set by hand, 1,166 by address lookup at ipwho.is. Set by hand always wins.",
  );
  expect(sayPlaces(counts, { ...lookup, answeredAt: "2026-11-17T03:00:00Z" }, now)).toMatch(
    /at ipwho\.is, last answered \d\d:00\. /,
  );
  expect(sayPlaces({ byHand: 2, byLookup: 0 }, { ...lookup, service: null }, now)).toBe(
    "Places: 2 set by hand. Lookup is off; only places set by hand.",
  );
});

test("trouble is told, and what is still to come; where all is well nothing is", () => {
  expect(sayLookup(lookup)).toBeUndefined();
  expect(sayLookup({ ...lookup, waiting: 1 })).toBe("1 address is still to be looked up.");
  expect(sayLookup({ ...lookup, waiting: 1_200, trouble: "it was answered 503." })).toBe(
    "The last question failed: it was answered 503. 1,200 addresses are still to be looked up.",
  );
  expect(sayLookup({ ...lookup, service: null, trouble: "old" })).toBeUndefined();
});

test("nodes without a place stand by their reasons", () => {
  const some = (["failed", "private", "failed"] as const).map((why) => ({ node: sampleNode(), why }));
  expect(groupPlaceless(some).map(({ words, nodes }) => [words, nodes.length])).toEqual([
    ["It has only addresses that lead nowhere from outside", 1],
    ["The lookup service did not answer as it should", 2],
  ]);
  expect([sayPlaceless(some), sayPlaceless(some.slice(1, 2))]).toEqual([
    "3 hosts have no place",
    "1 host has no place",
  ]);
});
