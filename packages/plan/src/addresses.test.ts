import fc from "fast-check";
import { expect, test } from "vitest";
import {
  findAddress,
  findNetwork,
  findPrefix,
  networksOf,
  overlaps,
  type Prefix,
  writeAddress,
  writePrefix,
} from "./addresses.ts";

test("an address has one spelling", () => {
  for (const good of [
    "0.0.0.0",
    "192.0.2.1",
    "::",
    "::1",
    "2001:db8::1",
    "fe80::1:0:0:1",
    "1:0:0:2::3",
    "1:2:3:4:5:6:7:8",
  ]) {
    expect(findAddress(good)).toBeDefined();
  }
  const others = [
    "010.0.0.1",
    "1.2.3",
    "2001:DB8::1",
    "2001:db8:0::1",
    "0:0:0:0:0:0:0:1",
    "::ffff:10.0.0.1",
    "::ffff:a00:1",
  ];
  for (const other of [...others, "1:0:0:0:2:0:0:3", "fe80::1%eth0", " ::1", "::1 ", "1.2.3.4.5", "", "::1/128"]) {
    expect(findAddress(other)).toBeUndefined();
  }
});

test("what is written is found again, for every address", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ minLength: 4, maxLength: 4 }),
        fc.uint8Array({ minLength: 16, maxLength: 16 }).map(sparse),
      ),
      (bytes) => {
        const mapped = bytes.length === 16 && /^(0,){10}255,255,/.test(bytes.join(","));
        expect(findAddress(writeAddress(bytes))).toEqual(mapped ? undefined : bytes);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("a network has no bits behind its prefix, and a prefix length that fits", () => {
  expect(findNetwork("10.0.0.0/8")).toMatchObject({ family: 4, length: 8 });
  expect(findNetwork("0.0.0.0/0")).toBeDefined();
  expect(findNetwork("2001:db8::/32")).toMatchObject({ family: 6, length: 32 });
  for (const bad of [
    "10.0.0.1/8",
    "10.0.0.0/33",
    "10.0.0.0",
    "10.0.0.0/08",
    "2001:db8::1/64",
    "::/129",
    "10.0.0.0/8/8",
  ]) {
    expect(findNetwork(bad)).toBeUndefined();
  }
  expect(findPrefix("10.0.0.1/8")).toBeDefined();
});

test("networks that share an address are found, and no others", () => {
  const found = (text: string) => findNetwork(text) as Prefix;
  expect(overlaps(found("10.0.0.0/8"), found("10.1.0.0/16"))).toBe(true);
  expect(overlaps(found("10.0.0.0/16"), found("10.1.0.0/16"))).toBe(false);
  expect(overlaps(found("0.0.0.0/0"), found("203.0.113.7/32"))).toBe(true);
  expect(overlaps(found("0.0.0.0/0"), found("::/0"))).toBe(false);
  expect(overlaps(found("10.0.0.0/31"), found("10.0.0.1/32"))).toBe(true);
  expect(networksOf(4).safeParse(["10.0.0.0/8", "10.1.0.0/16"]).success).toBe(false);
  expect(networksOf(4).safeParse(["10.0.0.0/8", "11.0.0.0/8", "::/0"]).success).toBe(true);
});

test("the network of an address is what stands before its prefix length ends", () => {
  const networkOf = (text: string) => writePrefix(findPrefix(text) as Prefix);
  expect(networkOf("10.9.8.7/24")).toBe("10.9.8.0/24");
  expect(networkOf("10.9.8.7/32")).toBe("10.9.8.7/32");
  expect(networkOf("10.9.8.7/9")).toBe("10.0.0.0/9");
  expect(networkOf("255.255.255.255/31")).toBe("255.255.255.254/31");
  expect(networkOf("203.0.113.7/0")).toBe("0.0.0.0/0");
  expect(networkOf("2001:db8:1:2:3::4/33")).toBe("2001:db8::/33");
  expect(networkOf("fd00::1/128")).toBe("fd00::1/128");
  expect(networkOf("fd00::1/0")).toBe("::/0");
});

test("an address lies in its network, and the network is its own", () => {
  const anyPrefix = fc
    .tuple(fc.constantFrom(4, 16), fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat(128))
    .map(([size, bytes, length]) => ({
      family: size === 4 ? (4 as const) : (6 as const),
      // Never IPv4 in IPv6 clothes.
      bytes: Uint8Array.of(0x20, ...bytes.subarray(1, size)),
      length: Math.min(length, size * 8),
    }));
  fc.assert(
    fc.property(anyPrefix, (one) => {
      const network = findNetwork(writePrefix(one));
      expect(network?.length).toBe(one.length);
      expect(network !== undefined && overlaps(network, one)).toBe(true);
      expect(network && writePrefix(network)).toBe(writePrefix(one));
    }),
    { numRuns: 500, seed: 3 },
  );
});

/** Mostly zeros, so that the short forms are met. */
function sparse(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => (byte > 90 ? 0 : byte));
}
