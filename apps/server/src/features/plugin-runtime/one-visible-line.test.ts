import { expect, test } from "vitest";
import { oneVisibleLine } from "./one-visible-line.ts";

test("what a terminal or a reader would act on becomes a visible mark", () => {
  for (const text of [
    "\n",
    "\t",
    "\u001b",
    "\u009b",
    "\u0007",
    "\u202e",
    "\u2066",
    "\u2028",
    "\ufeff",
    "\u00ad",
    "\ud800",
  ])
    expect(oneVisibleLine(`a${text}b`, 10)).toBe("a\u{FFFD}b");
  expect(oneVisibleLine("a\u{e0069}b", 10)).toBe("a\u{FFFD}b");
});

test("words stay words, and are cut between characters", () => {
  expect(oneVisibleLine("Grüße, 漢字 🦦", 40)).toBe("Grüße, 漢字 🦦");
  expect(oneVisibleLine("otter 🦦", 7)).toBe("otter \u{FFFD}");
});
