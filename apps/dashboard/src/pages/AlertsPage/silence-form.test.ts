import { expect, test } from "vitest";
import { parseSilence, type TypedSilence } from "./silence-form.ts";

const now = Date.UTC(2026, 10, 17, 3, 12);
const typed: TypedSilence = {
  scope: "nodes",
  tags: "",
  rule: "disk",
  length: "8h",
  until: "",
  reason: " moving  disks ",
};

test("a length counts from now, and a reason is one line", () => {
  expect(parseSilence(typed, ["node_1"], now)).toEqual({
    wish: {
      appliesTo: { nodes: ["node_1"] },
      rule: "disk",
      until: "2026-11-17T11:12:00.000Z",
      reason: "moving disks",
    },
  });
});

test("without a rule it is about every rule", () => {
  const read = parseSilence({ ...typed, scope: "all", rule: "" }, [], now);
  expect(read).toMatchObject({ wish: { appliesTo: { all: true } } });
  expect("wish" in read && "rule" in read.wish).toBe(false);
});

test.each([
  [{ reason: " " }, "reason", /why/],
  [{ scope: "tags" }, "tags", /at least one tag/],
  [{ length: "until" }, "until", /a day and a time/],
  [{ length: "until", until: "2026-11-16T03:00:00Z" }, "until", /over/],
  [{ length: "until", until: "2026-12-18T03:12:00Z" }, "until", /30 days/],
] as const)("%o is wrong in %s", (changes, field, words) => {
  const read = parseSilence({ ...typed, ...changes }, ["node_1"], now);
  expect("wrong" in read ? read.wrong : {}).toEqual({ [field]: expect.stringMatching(words) });
});
