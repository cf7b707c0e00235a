import { hostLogLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { shownLogText } from "./log-text.ts";

test.each([
  ["a plain line, ä 東京 😀", "a plain line, ä 東京 😀"],
  ["\u001b]52;c;ZXZpbA==\u0007", "␛]52;c;ZXZpbA==␇"],
  ["\u001bP$qm\u001b\\", "␛P$qm␛\\"],
  ["\u001b[2J\u001b[1;31mred", "␛[2J␛[1;31mred"],
  ["\u009b2J\u0090q\u009c\u0085", "\ufffd2J\ufffdq\ufffd\ufffd"],
  ["a\u202eb\u2066c\u2069\u200f", "a\ufffdb\ufffdc\ufffd\ufffd"],
  ["a\u200bb\ufeffc\u00add", "a\ufffdb\ufffdc\ufffdd"],
  ["one\ntwo\r\tthree\u0000\u007f", "one␊two␍␉three␀␡"],
  ["\u2028\u2029\ue000\u{e0041}\u{f0000}", "\ufffd\ufffd\ufffd\ufffd\ufffd"],
  ["a\u034fb\u115fc\u3164d\u180be\ufe00f\uffa0\u{e0154}", "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffd\ufffd"],
  ["a heart \u2764\ufe0f", "a heart \u2764\ufe0f"],
  ["half \ud83d a character \ude00", "half \ufffd a character \ufffd"],
  ["", ""],
])("%j is shown as %j", (text, shown) => {
  expect(shownLogText(text)).toBe(shown);
});

test("nothing of what a terminal obeys or nobody sees is left, whatever character it is", () => {
  for (let code = 0; code <= 0x10_ff_ff; code += 1) {
    const shown = shownLogText(String.fromCodePoint(code));
    const isSeen = /^(?:\ufe0f|[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])$/u.test(shown);
    expect(isSeen, code.toString(16)).toBe(true);
    // Every character once: more than a few thousand are looked at in pieces of a thousand.
    if (code > 0x3000) code += 1_023;
  }
});

test("a line is as long as it may be, and one that is longer ends with an ellipsis", () => {
  const most = hostLogLimits.lineChars;
  expect(shownLogText("a".repeat(most))).toBe("a".repeat(most));
  expect(shownLogText("a".repeat(most + 1))).toBe(`${"a".repeat(most - 1)}…`);
  expect(shownLogText(`${"a".repeat(most - 2)}😀b`)).toBe(`${"a".repeat(most - 2)}\ufffd…`);
  expect(shownLogText("\u001b".repeat(1_000_000))).toBe(`${"␛".repeat(most - 1)}…`);
});
