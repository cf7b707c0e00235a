import { expect, test } from "vitest";
import { readText } from "../repository.ts";
import { basemaps, cutLand } from "./cut-land.ts";

test.each(basemaps)("the basemap $file is what the installed atlas gives", (basemap) => {
  expect(cutLand(basemap) === readText(`apps/dashboard/src/ui/world/${basemap.file}`)).toBe(true);
});

test.each(basemaps)("no coast of $file leaves the flat map, and none crosses it", (basemap) => {
  const { parts, land } = JSON.parse(cutLand(basemap)) as { parts: number; land: number[][][] };
  let [longest, furthest, highest] = [0, 0, 0];
  for (const steps of land.flat()) {
    let [x, y] = [0, 0];
    for (let at = 0; at < steps.length; at += 2) {
      const [east = 0, north = 0] = steps.slice(at, at + 2);
      // The south pole is a line on a flat map, and the only coast that goes round it.
      if (at > 0 && y / parts > -85) longest = Math.max(longest, Math.abs(east));
      [x, y] = [x + east, y + north];
      furthest = Math.max(furthest, Math.abs(x));
      highest = Math.max(highest, Math.abs(y));
    }
  }
  expect(longest).toBeLessThan(90 * parts);
  expect(furthest).toBeLessThanOrEqual(180 * parts);
  expect(highest).toBeLessThanOrEqual(90 * parts);
});
