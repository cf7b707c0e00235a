import { expect, test } from "vitest";
import { shortDigest, splitExpectation } from "./plugin-summary.ts";

test("what the loader expected and found is taken apart, and nothing of it is lost", () => {
  expect(splitExpectation("artifact digest mismatch: expected 351 bytes, found 18 bytes")).toEqual({
    lead: "artifact digest mismatch",
    expected: "351 bytes",
    found: "18 bytes",
  });
  expect(splitExpectation("expected signatures by 2 of 2 keys, found 1: 146a")).toEqual({
    lead: null,
    expected: "signatures by 2 of 2 keys",
    found: "1: 146a",
  });
});

test("a reason of another form is left whole", () => {
  expect(splitExpectation("the plugin directory could not be read")).toBeNull();
});

test("a short digest is the beginning in groups of four", () => {
  expect(shortDigest("c41f8a029be7113f5e60")).toBe("c41f 8a02 9be7");
});
