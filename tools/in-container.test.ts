import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inContainer, sentencesPattern } from "../tests/lab/in-container.ts";

test.each(Object.entries(inContainer))(
  "every sentence that is asked of a container stands in %s",
  (file, sentences) => {
    const text = readFileSync(`tests/acceptance/${file}.test.ts`, "utf8");
    expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([]);
  },
);

test("a sentence is looked for by its letters, and what stands for a name may be any", () => {
  const pattern = new RegExp(sentencesPattern(["`/assets/*` (files)", "without ${name} the start"]));
  expect("x `/assets/*` (files)").toMatch(pattern);
  expect("without master.key the start is refused").toMatch(pattern);
  expect("`/assets/a` files").not.toMatch(pattern);
});
