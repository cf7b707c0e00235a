import { expect, test } from "vitest";
import { editLine } from "./edit-line.ts";

test.each([
  ["characters are added", "ab", "cd", { state: "open", text: "abcd" }],
  ["a letter of several bytes is one character", "", "pässword→🔑\u007f\u007f", { state: "open", text: "pässword" }],
  [
    "return ends the line, and what follows is for the next question",
    "ab",
    "c\rnext\r",
    { state: "entered", text: "abc", rest: "next\r" },
  ],
  ["a line feed ends it too", "", "x\n", { state: "entered", text: "x", rest: "" }],
  ["both together are one end", "", "x\r\ny", { state: "entered", text: "x", rest: "y" }],
  ["backspace takes one away, and nothing from nothing", "a", "\b\b\u007fz", { state: "open", text: "z" }],
  ["control U takes all away", "wrong", "\u0015right\r", { state: "entered", text: "right", rest: "" }],
  ["control C cancels", "abc", "\u0003", { state: "cancelled" }],
  ["control D cancels an empty line", "", "\u0004", { state: "cancelled" }],
  ["control D does nothing to one that is not empty", "a", "\u0004", { state: "open", text: "a" }],
  [
    "arrows and function keys write nothing",
    "",
    "a\u001b[Db\u001bOPc\u001b[15~d\u001b",
    { state: "open", text: "abcd" },
  ],
  [
    "a paste that the terminal marks is what was pasted",
    "",
    "\u001b[200~secret words\u001b[201~\r",
    { state: "entered", text: "secret words", rest: "" },
  ],
  ["other controls write nothing", "", "a\t\u0000\u0016b", { state: "open", text: "ab" }],
])("%s", (_, text, typed, line) => {
  expect(editLine(text, typed)).toEqual(line);
});
