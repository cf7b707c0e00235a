import { nodeTags } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { parseTagText } from "./tag-text.ts";

test("tags stand between commas or spaces, each once", () => {
  expect(parseTagText(" web, public  web ")).toEqual({ tags: ["web", "public"] });
  expect(parseTagText("")).toEqual({ tags: [] });
});

test.each(["web", "a.b_c-d", "0", "-a", ".a", "Web", "ä", "a".repeat(32), "a".repeat(33)])(
  "the page and the server agree whether %j is a tag",
  (tag) => {
    expect("tags" in parseTagText(tag)).toBe(nodeTags.safeParse([tag]).success);
  },
);

test.each([16, 17])("the page and the server agree about %i tags", (count) => {
  const tags = Array.from({ length: count }, (_none, at) => `t${at}`);
  expect("tags" in parseTagText(tags.join(","))).toBe(nodeTags.safeParse(tags).success);
});
