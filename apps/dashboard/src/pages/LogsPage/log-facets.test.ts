import { expect, test } from "vitest";
import { facetsOf } from "./log-facets.ts";

test("what is chosen has its place behind what has lines, also before anybody has counted", () => {
  const counted = [
    { value: "a", lines: 7 },
    { value: "b", lines: 2 },
  ];
  expect(facetsOf(counted, ["b", "x"])).toEqual([...counted, { value: "x", lines: 0 }]);
  expect(facetsOf(undefined, ["x"])).toEqual([{ value: "x", lines: undefined }]);
  expect(facetsOf(undefined, [])).toEqual([]);
});
