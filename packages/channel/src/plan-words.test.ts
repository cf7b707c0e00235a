import { expect, test } from "vitest";
import { planWords } from "./plan-words.ts";

test("a plan has six words, which are the beginning of its digest", () => {
  const digest = "f78b619119bc0cdab07174b994defa4924f44105c4fd48c56ea722d9dfb36672";
  expect(planWords(digest)).toEqual(["sofa", "host", "farm", "joke", "bend", "near"]);
  expect(planWords(`${digest.slice(0, 12)}${"0".repeat(52)}`)).toEqual(planWords(digest));
  expect(planWords(`${digest.slice(0, 11)}d${digest.slice(12)}`)).not.toEqual(planWords(digest));
});
