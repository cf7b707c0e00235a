import { expect, test } from "vitest";
import { unpackLand } from "./land.ts";

test("steps become corners in degrees, ring by ring", () => {
  const packed = { parts: 100, land: [[[1_000, 5_000, 50, 0, 0, -50, -50, 50]], [[-100, 0, 100, 100]]] };
  expect(unpackLand(packed)).toEqual({
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [10, 50],
          [10.5, 50],
          [10.5, 49.5],
          [10, 50],
        ],
      ],
      [
        [
          [-1, 0],
          [0, 1],
        ],
      ],
    ],
  });
});
