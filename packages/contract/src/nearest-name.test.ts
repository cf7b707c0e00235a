import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

const names = ["verify", "recover", "version", "status"];

test.each([
  ["verfy", "verify"],
  ["evrify", "verify"],
  ["verifyy", "verify"],
  ["recver", "recover"],
  ["verison", "version"],
])("%s is taken for %s", (word, meant) => {
  expect(nearestName(word, names)).toBe(meant);
});

test("a word that is near to nothing gets no suggestion", () => {
  expect(nearestName("delete", names)).toBeUndefined();
  expect(nearestName("x", names)).toBeUndefined();
  expect(nearestName("verify", [])).toBeUndefined();
});
