import { expect, test } from "vitest";
import { waitWords } from "./wait-words.ts";

test("a wait is told in seconds, and from two minutes on in minutes too", () => {
  expect([400, 1_000, 1_001, 119_000].map(waitWords)).toEqual(["1 s", "1 s", "2 s", "119 s"]);
  expect([120_000, 121_000, 3_600_000].map(waitWords)).toEqual(["2 min", "2 min 1 s", "60 min"]);
});
