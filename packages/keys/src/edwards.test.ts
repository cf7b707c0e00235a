import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { weakKeys } from "../../../tests/support/weak-keys.ts";
import { findKeyFlaw, findWeakness } from "./edwards.ts";

const hex = (text: string) => Buffer.from(text, "hex");

test("the list of small-order encodings is complete: 14 different ones", () => {
  expect(new Set(weakKeys).size).toBe(14);
});

test.each(weakKeys)("the small-order encoding %s is refused", (encoding) => {
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

test("what a kept key is still asked refuses the same encodings, and takes a y without a point for verify to refuse", () => {
  for (const encoding of weakKeys) expect(findWeakness(hex(encoding))).toMatch(/small order|not below/);
  const noPoint = hex(`02${"00".repeat(31)}`);
  expect([findKeyFlaw(noPoint), findWeakness(noPoint)]).toEqual(["it is not a point of the curve", undefined]);
});

/** The curve once more, as RFC 8032 section 5.1.4 adds points on it, so that the table is not its own witness. */
const p = 2n ** 255n - 19n;
const mod = (value: bigint) => ((value % p) + p) % p;
function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n;
  const half = power(mod(base * base), exponent / 2n);
  return exponent % 2n === 0n ? half : mod(half * base);
}
const over = (value: bigint) => power(mod(value), p - 2n);
const d = mod(-121665n * over(121666n));

/** The y of twice the point. x² follows from y, and no more of x is needed. */
function doubledY(y: bigint): bigint {
  const xSquared = mod((y * y - 1n) * over(d * y * y + 1n));
  return mod((y * y + xSquared) * over(1n - d * xSquared * y * y));
}

test("three doublings bring just the points of the table to the neutral point", () => {
  const timesEight = (y: bigint) => doubledY(doubledY(doubledY(y)));
  const yOf = (encoding: string) => BigInt(`0x${hex(encoding).reverse().toString("hex")}`) & (2n ** 255n - 1n);
  for (const encoding of weakKeys) expect(timesEight(mod(yOf(encoding)))).toBe(1n);
  for (let made = 0; made < 20; made += 1) {
    const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
    expect(timesEight(yOf(Buffer.from(x, "base64url").toString("hex")))).not.toBe(1n);
  }
});
