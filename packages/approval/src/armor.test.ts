import { expect, test } from "vitest";
import { readArmor, writeArmor } from "./armor.ts";

const bytes = Uint8Array.from({ length: 190 }, (_, index) => index);
const armor = writeArmor(bytes);

test("what was armored is read back, with the line ends of either world", () => {
  expect(readArmor(armor)).toEqual(bytes);
  expect(readArmor(armor.replaceAll("\n", "\r\n"))).toEqual(bytes);
  expect(readArmor(armor.trimEnd())).toEqual(bytes);
  expect(armor.split("\n").every((line) => line.length <= 70)).toBe(true);
});

test.each([
  ["nothing", ""],
  ["no bytes", writeArmor(new Uint8Array())],
  ["two armors", armor + armor],
  ["text before it", `x${armor}`],
  ["text behind it", `${armor}x`],
  ["an empty line", armor.replace("\n", "\n\n")],
  ["a blank in a line", armor.replace("\nAAEC", "\nAA EC")],
  ["padding missing", armor.replace("==\n", "\n").replace("=\n", "\n")],
  ["stray bits before its padding", armor.replace(/.(=+)\n/, "9$1\n")],
  ["another word", armor.replaceAll("SIGNATURE", "MESSAGE")],
])("%s is no signature", (_, text) => {
  expect(() => readArmor(text)).toThrow(/^signature\.format: /);
});
