import { expect, test } from "vitest";
import { asOneLine, asSentence, withinSentence } from "./reason.ts";

test("a reason is sent on one line, and ends as a sentence where it is shown", () => {
  expect(asOneLine("  mail is\n slow ")).toBe("mail is slow");
  expect(["mail is slow", "Is mail slow?", "Stop!"].map(asSentence)).toEqual([
    "mail is slow.",
    "Is mail slow?",
    "Stop!",
  ]);
});

test("after other words the reader is you, and people keep their names", () => {
  const names = ["You", "The command line", "Ines Okafor", "Theodor"];
  expect(names.map(withinSentence)).toEqual(["you", "the command line", "Ines Okafor", "Theodor"]);
});
