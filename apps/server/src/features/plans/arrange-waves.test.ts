import { expect, test } from "vitest";
import { arrangeWaves } from "./arrange-waves.ts";

const hosts = (count: number, away: readonly number[] = []) =>
  Array.from({ length: count }, (_, at) => ({ node: `n${at}`, isHere: !away.includes(at) }));
const tagged = (tags: Record<string, readonly number[]>) =>
  new Map(Object.entries(tags).map(([tag, places]) => [tag, new Set(places.map((at) => `n${at}`))]));

test("without a wish all hosts are in one wave", () => {
  expect(arrangeWaves(hosts(3), tagged({}))).toEqual({ waves: [{ kind: "rest", nodes: 3 }], waveOf: [0, 0, 0] });
});

test("those that go first are connected, as long as there are such", () => {
  expect(arrangeWaves(hosts(4, [0, 1]), tagged({}), { canary: 2 }).waveOf).toEqual([1, 1, 0, 0]);
  expect(arrangeWaves(hosts(4, [0, 1, 2]), tagged({}), { canary: 2 }).waveOf).toEqual([0, 1, 1, 0]);
});

test("then each tag has its wave, in the order that was said, and every host is in one only", () => {
  const found = arrangeWaves(hosts(6), tagged({ lab: [0, 1, 2], web: [2, 3] }), { canary: 1, tags: ["web", "lab"] });
  expect(found.waves).toEqual([
    { kind: "canary", nodes: 1 },
    { kind: "tag", tag: "web", nodes: 2 },
    { kind: "tag", tag: "lab", nodes: 1 },
    { kind: "rest", nodes: 2 },
  ]);
  expect(found.waveOf).toEqual([0, 2, 1, 1, 3, 3]);
});

test("a tag of which all hosts go before has no wave of its own; one that no host of the plan has is refused", () => {
  expect(arrangeWaves(hosts(2), tagged({ web: [0] }), { canary: 1, tags: ["web"] }).waves).toEqual([
    { kind: "canary", nodes: 1 },
    { kind: "rest", nodes: 1 },
  ]);
  expect(() => arrangeWaves(hosts(2), tagged({ web: [7] }), { tags: ["web"] })).toThrowError(
    /^plan\.waves: no host of the plan has the tag web/,
  );
});

test("a wave that is larger than was said becomes several", () => {
  const found = arrangeWaves(hosts(7), tagged({ lab: [4, 5, 6] }), { tags: ["lab"], size: 2 });
  expect(found.waves.map(({ kind, nodes }) => `${kind} ${nodes}`)).toEqual(["tag 2", "tag 1", "rest 2", "rest 2"]);
  expect(found.waveOf).toEqual([2, 2, 3, 3, 0, 0, 1]);
});

test("more waves than a plan has are refused, with how many there would be", () => {
  expect(arrangeWaves(hosts(100), tagged({}), { size: 1 }).waves).toHaveLength(100);
  expect(() => arrangeWaves(hosts(101), tagged({}), { size: 1 })).toThrowError(
    /^plan\.waves: expected at most 100 waves, found 101/,
  );
});
