import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { findKeyFlaw } from "./edwards.ts";

/** The 14 encodings of the points of order 1, 2, 4 and 8: seven values of y, each with both signs of x. */
const smallOrder = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000080",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
] as const;

const hex = (text: string) => Buffer.from(text, "hex");

test("the list of small-order encodings is complete: 14 different ones", () => {
  expect(new Set(smallOrder).size).toBe(14);
});

test.each(smallOrder)("the small-order encoding %s is refused", (encoding) => {
  expect(findKeyFlaw(hex(encoding))).toMatch(/small order|not below|not a point/);
});

test("every y from 2^255-19 up to 2^255-1 is refused, with either sign", () => {
  for (let last = 0xed; last <= 0xff; last += 1) {
    for (const sign of [0x7f, 0xff]) {
      const bytes = Buffer.alloc(32, 0xff);
      bytes[0] = last;
      bytes[31] = sign;
      expect(findKeyFlaw(bytes)).toBe("its y coordinate is not below 2^255-19");
    }
  }
});

test("half of all y are on no point of the curve, and are refused", () => {
  let off = 0;
  for (let y = 2; y < 102; y += 1) {
    const bytes = Buffer.alloc(32);
    bytes[0] = y;
    if (findKeyFlaw(bytes) === "it is not a point of the curve") off += 1;
  }
  expect(off).toBeGreaterThan(30);
  expect(off).toBeLessThan(70);
});

test("real keys are accepted: the base point, those of RFC 8032 and 200 new ones", () => {
  const known = [
    "5866666666666666666666666666666666666666666666666666666666666666",
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
  ];
  expect(known.map((key) => findKeyFlaw(hex(key)))).toEqual(known.map(() => undefined));
  for (let made = 0; made < 200; made += 1) {
    const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
    expect(findKeyFlaw(Buffer.from(x, "base64url"))).toBeUndefined();
  }
});
