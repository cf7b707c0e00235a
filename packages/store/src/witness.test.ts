import { expect, test } from "vitest";
import { isSigned, newWitnessKey, parseWitness, signHead } from "./witness.ts";

const head = { position: 42, link: "ab".repeat(32) };

test("a signed head verifies, and any other head does not", () => {
  const key = newWitnessKey();
  const witnessed = signHead(key, head, 1);
  expect(isSigned(witnessed)).toBe(true);
  expect(isSigned(parseWitness(JSON.stringify(witnessed)))).toBe(true);
  for (const other of [{ position: 43 }, { link: "cd".repeat(32) }, { at: 2 }, { server: newWitnessKey().server }]) {
    expect(isSigned({ ...witnessed, ...other })).toBe(false);
  }
  expect(isSigned({ ...witnessed, server: "short" })).toBe(false);
});

test("a file that is no witness is refused", () => {
  expect(() => parseWitness("{}")).toThrow("store.malformed");
});
