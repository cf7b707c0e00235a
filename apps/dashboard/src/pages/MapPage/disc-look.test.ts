import { expect, test } from "vitest";
import { countStandings } from "../../widgets/Fleet/standing.ts";
import { discRadius, exceptionsOf, labelOf } from "./disc-look.ts";
import { nodesIn, sitesOf } from "./sample-place.ts";

test("a disc of twice the hosts has about twice the area, and every number has room", () => {
  const areaOf = (size: number) => discRadius(size, 200) ** 2;
  expect((areaOf(160) - 80) / (areaOf(80) - 80)).toBeCloseTo(2);
  expect(discRadius(1, 10_000)).toBeLessThan(discRadius(10_000, 10_000));
  expect(discRadius(1_234, 100_000)).toBeGreaterThan(20);
  expect(discRadius(10_000, 10_000)).toBeLessThan(32);
});

test("beside a disc stands only what is not as it should be, the worst first", () => {
  const nodes = [...nodesIn("sydney", 3, { state: "unknown" }), ...nodesIn("newYork", 2, { state: "offline" })];
  expect(exceptionsOf(countStandings(nodes))).toEqual([
    { standing: "offline", count: 1 },
    { standing: "unheard", count: 1 },
  ]);
  expect(exceptionsOf(countStandings(nodesIn("sydney", 1)))).toEqual([]);
});

test("a disc is called by its places while there is room, then by their number", () => {
  expect(labelOf({ sites: sitesOf({ frankfurt: 1 }) })).toBe("fra1");
  expect(labelOf({ sites: sitesOf({ frankfurt: 2, offenbach: 1 }) })).toBe("fra1 · fra2");
  const [site] = sitesOf({ sydney: 1 });
  if (site === undefined) throw new Error("there is a site");
  expect(labelOf({ sites: [{ ...site, label: null }] })).toBe("");
  expect(labelOf({ sites: [site, { ...site, label: null }] })).toBe("2 places");
  const long = { ...site, label: "Frankfurt am Main, Hesse, Germany" };
  expect(labelOf({ sites: [long] })).toBe("Frankfurt am Main, Hesse,…");
  expect(labelOf({ sites: [long, site] })).toBe("2 places");
});
