import fc from "fast-check";
import { expect, test } from "vitest";
import { spreadOut } from "./spread-out.ts";

test.each([
  ["what has room stays", [10, 50, 90], [10, 50, 90]],
  ["two on one place move apart to both sides", [50, 50], [47, 53]],
  ["the order of what was given is kept", [52, 50], [54, 48]],
  ["nothing leaves the ends", [0, 1, 100, 100], [0, 6, 94, 100]],
  ["none at all is none", [], []],
])("%s", (_, places, found) => {
  expect(spreadOut(places, 6, 100)).toEqual(found);
});

test("twelve anywhere have room, and keep their order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 12 }), (places) => {
      const found = spreadOut(places, 6, 100);
      const sorted = found.toSorted((a, b) => a - b);
      for (const [at, place] of sorted.entries()) {
        expect(place).toBeGreaterThanOrEqual(-1e-9);
        expect(place).toBeLessThanOrEqual(100 + 1e-9);
        if (at > 0) expect(place - (sorted[at - 1] ?? 0)).toBeGreaterThanOrEqual(6 - 1e-9);
      }
      for (const [a, place] of places.entries())
        for (const [b, other] of places.entries()) if (place < other) expect(found[a] ?? 0).toBeLessThan(found[b] ?? 0);
    }),
  );
});
