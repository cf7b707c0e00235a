import { expect, test } from "vitest";
import { joinServiceWords, splitServiceWords } from "./service-words.ts";

test("what a service said last is read again line by line", () => {
  const says = "nginx.service: expected it to stay up, found it failed";
  const lines = ["nginx: [emerg] unknown directive", "Failed to start nginx.service."];
  expect(splitServiceWords(joinServiceWords(says, lines))).toEqual({ says, lines });
  expect(splitServiceWords(joinServiceWords(says, []))).toEqual({ says, lines: [] });
});

test("any other detail is one sentence without lines", () => {
  expect(splitServiceWords("expected one of a|b, found c")).toEqual({
    says: "expected one of a|b, found c",
    lines: [],
  });
});

test("a line with the mark in it is shown as two, and no word of it is lost", () => {
  expect(splitServiceWords(joinServiceWords("web.service: it fell", ["GET / | 500"])).lines).toEqual(["GET /", "500"]);
});
