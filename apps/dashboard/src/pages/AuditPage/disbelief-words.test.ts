import { witnessCodes } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { disbeliefTitle, refusalReason } from "./disbelief-words.ts";

const host = { name: "lhr2-cache-11", position: 48_209 };

test.each([
  ["witness.fork", 48_213, "Not the log that lhr2-cache-11 saw, from #48,209 or before."],
  ["witness.regressed", 48_200, "Shorter than what lhr2-cache-11 saw, by 9 entries."],
  ["witness.regressed", 48_208, "Shorter than what lhr2-cache-11 saw, by 1 entry."],
  ["witness.regressed", 48_300, "Cut behind what lhr2-cache-11 saw, and written on since."],
  ["witness.regressed", undefined, "Shorter than what lhr2-cache-11 saw."],
  ["witness.signature", 48_213, "lhr2-cache-11 was shown a head that this server’s key has not signed."],
] as const)("%s over a log that ends at %s is said in one sentence", (code, end, words) => {
  expect(disbeliefTitle({ ...host, code }, end)).toBe(words);
});

test("a host that told no position is not given one", () => {
  expect(disbeliefTitle({ name: "one", position: null, code: "witness.fork" }, 9)).toBe("Not the log that one saw.");
});

test.each(witnessCodes)("%s has words of its own", (code) => {
  expect(refusalReason(code)).not.toContain("witness.");
});
