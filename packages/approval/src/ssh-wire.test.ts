import { expect, test } from "vitest";
import { readSshInteger, readSshStrings, sshString, takeSshString } from "./ssh-wire.ts";

const hex = (text: string) => Uint8Array.fromHex(text);

test("strings are read in their number, with nothing cut and nothing behind", () => {
  const both = hex("00000001610000000162");
  expect(readSshStrings(both, 2)?.strings.map((each) => each.toHex())).toEqual(["61", "62"]);
  expect(readSshStrings(both, 1)).toBeUndefined();
  expect(readSshStrings(both, 3)).toBeUndefined();
  expect(readSshStrings(both, 1, 5)?.rest).toEqual(sshString("b"));
  for (let length = 0; length < both.byteLength; length += 1) {
    expect(readSshStrings(both.subarray(0, length), 2)).toBeUndefined();
  }
  expect(takeSshString(hex("ffffffff61"))).toBeUndefined();
});

test.each([
  ["one byte", "05", "00000005"],
  ["a first bit that needs a zero before it", "0080", "00000080"],
  ["just as many as fit", "00ffffffff", "ffffffff"],
])("a number of %s has one spelling", (_, written, read) => {
  expect(readSshInteger(hex(written), 4)?.toHex()).toBe(read);
});

test.each([
  ["nothing, which is zero", ""],
  ["zero in a byte", "00"],
  ["zero in two bytes", "0000"],
  ["a negative one", "80"],
  ["a zero too many", "007f"],
  ["one that does not fit", "0100000000"],
  ["one that does not fit, behind its zero", "00ffffffffff"],
])("%s is no number of a signature", (_, written) => {
  expect(readSshInteger(hex(written), 4)).toBeUndefined();
});
