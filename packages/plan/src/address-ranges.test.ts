import fc from "fast-check";
import { expect, test } from "vitest";
import { findHostAddress, mergeRanges, networksOfRange, rangeOfPrefix } from "./address-ranges.ts";
import { findNetwork, type Prefix, writeAddress } from "./addresses.ts";

const rangeOf = (text: string) => rangeOfPrefix(findNetwork(text) as Prefix);

test("a network is its first and its last address", () => {
  expect(rangeOf("0.0.0.0/0")).toEqual({ from: 0n, to: 0xffff_ffffn });
  expect(rangeOf("10.1.0.0/16")).toEqual({ from: 0x0a01_0000n, to: 0x0a01_ffffn });
  expect(rangeOf("::1/128")).toEqual({ from: 1n, to: 1n });
  expect(rangeOf("::/0").to).toBe((1n << 128n) - 1n);
});

test("ranges that overlap or touch become one, and others stay apart", () => {
  const merged = mergeRanges(["10.128.0.0/9", "10.0.0.0/9", "10.0.0.0/24", "12.0.0.0/8"].map(rangeOf));
  expect(merged).toEqual([rangeOf("10.0.0.0/8"), rangeOf("12.0.0.0/8")]);
});

test("a range is exactly the networks it is written as, and no fewer would do", () => {
  expect(networksOfRange({ from: 1n, to: 6n }, 4)).toEqual(["0.0.0.1/32", "0.0.0.2/31", "0.0.0.4/31", "0.0.0.6/32"]);
  expect(networksOfRange(rangeOf("::/0"), 6)).toEqual(["::/0"]);
  fc.assert(
    fc.property(
      fc.constantFrom(4 as const, 6 as const),
      fc.bigInt({ min: 0n, max: 0xffff_ffffn }),
      fc.bigInt({ min: 0n, max: 0xffff_ffffn }),
      (family, one, other) => {
        const range = one < other ? { from: one, to: other } : { from: other, to: one };
        const networks = networksOfRange(range, family);
        expect(mergeRanges(networks.map(rangeOf))).toEqual([range]);
        expect(networks.length).toBeLessThanOrEqual(62);
      },
    ),
    { numRuns: 500, seed: 5 },
  );
});

test("an address of a host is read in every spelling, and IPv4 in IPv6 clothes is IPv4", () => {
  const written = (text: string) => {
    const found = findHostAddress(text);
    return found === undefined ? undefined : `${writeAddress(found.bytes)}/${found.length}`;
  };
  expect(written("198.51.100.7")).toBe("198.51.100.7/32");
  expect(written("::ffff:198.51.100.7")).toBe("198.51.100.7/32");
  expect(written("2001:DB8:0::1")).toBe("2001:db8::1/128");
  expect(written("ssh.example.net")).toBeUndefined();
});
