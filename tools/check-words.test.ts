import { expect, test } from "vitest";
import { readCheckWords } from "./check-words.ts";
import { gateSeed } from "./ci.ts";

test("the short form and the plain one have the gate's seed", () => {
  expect(readCheckWords(["--short"])).toEqual({ fast: false, short: true, seed: gateSeed });
  expect(readCheckWords([])).toEqual({ fast: false, short: false, seed: gateSeed });
});

test("a seed can be given, and the tests can be left out", () => {
  expect(readCheckWords(["--seed", "7", "--short"])).toEqual({ fast: false, short: true, seed: 7 });
  expect(readCheckWords(["--fast"]).fast).toBe(true);
});

test("a word that is not known is refused", () => {
  for (const words of [["--sede", "7"], ["tests"], ["--seed", "seven"]]) expect(() => readCheckWords(words)).toThrow();
});
