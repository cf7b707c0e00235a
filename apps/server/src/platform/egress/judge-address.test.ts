import { BlockList } from "node:net";
import { describe, expect, test } from "vitest";
import { judgeAddress, refusedRanges } from "./judge-address.ts";

/** The same question asked of Node, which was written by others. */
const known = new BlockList();
for (const [range] of refusedRanges) {
  const [base = "", length = ""] = range.split("/");
  // Node takes a mapped address for the IPv4 address in it, and so cannot hold this range beside the others.
  if (range !== "::ffff:0:0/96") known.addSubnet(base, Number(length), base.includes(":") ? "ipv6" : "ipv4");
}

const dotted = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
const grouped = (number: bigint) =>
  [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n].map((at) => ((number >> (at * 16n)) & 0xffffn).toString(16)).join(":");

describe("IPv4", () => {
  test("is judged as Node's own list judges it, in every /16 and at both ends", () => {
    const different: string[] = [];
    for (let high = 0; high < 65_536; high += 1) {
      for (const low of [0, 1, 0x80_00, 0xff_ff]) {
        const address = dotted(high * 65_536 + low);
        if ((judgeAddress(address) !== undefined) !== known.check(address)) different.push(address);
      }
    }
    expect(different).toEqual([]);
  });

  test.each(refusedRanges.filter(([range]) => !range.includes(":")))("%s is refused from end to end", (range, what) => {
    const [base = "", length = ""] = range.split("/");
    const first = base.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    const last = first + 2 ** (32 - Number(length)) - 1;
    for (const inside of [first, last, Math.floor((first + last) / 2)]) expect(judgeAddress(dotted(inside))).toBe(what);
    for (const outside of [first - 1, last + 1].filter((number) => number >= 0 && number < 2 ** 32)) {
      expect(judgeAddress(dotted(outside)) !== undefined).toBe(known.check(dotted(outside)));
    }
  });

  test.each([
    ["127.0.0.1", "loopback"],
    ["169.254.169.254", "link-local, where clouds keep metadata"],
    ["100.100.100.200", "shared by a carrier"],
    ["168.63.129.16", "a cloud's host"],
    ["192.0.0.192", "for protocols"],
    ["255.255.255.255", "reserved"],
    ["0.0.0.0", "this network"],
  ])("%s is refused: %s", (address, what) => {
    expect(judgeAddress(address)).toBe(what);
  });

  test.each(["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "172.32.0.1", "192.169.0.1", "223.255.255.255"])(
    "%s is public",
    (address) => {
      expect(judgeAddress(address)).toBeUndefined();
    },
  );
});

describe("IPv6", () => {
  test.each(refusedRanges.filter(([range]) => range.includes(":")))("%s is refused from end to end", (range) => {
    const [base = "", length = ""] = range.split("/");
    const first = numberOf(base);
    const last = first + (1n << BigInt(128 - Number(length))) - 1n;
    for (const inside of [first, last, (first + last) / 2n]) expect(judgeAddress(grouped(inside))).toBeDefined();
  });

  test("outside 2000::/3 there is nothing public; inside, everything but what the table names", () => {
    const different: string[] = [];
    for (let high = 0; high < 65_536; high += 1) {
      const address = `${high.toString(16)}:4567::1`;
      const isRefused = high < 0x20_00 || high > 0x3f_ff || known.check(address, "ipv6");
      if ((judgeAddress(address) !== undefined) !== isRefused) different.push(address);
    }
    expect(different).toEqual([]);
  });

  test.each([
    ["::1", "loopback"],
    ["::", "unspecified"],
    ["::ffff:127.0.0.1", "IPv4 mapped into IPv6"],
    ["::ffff:8.8.8.8", "IPv4 mapped into IPv6"],
    ["::FFFF:7f00:1", "IPv4 mapped into IPv6"],
    ["::ffff:0:127.0.0.1", "IPv4 translated to IPv6"],
    ["::127.0.0.1", "IPv4-compatible IPv6"],
    ["64:ff9b::169.254.169.254", "IPv4 behind NAT64"],
    ["64:ff9b:1::a9fe:a9fe", "IPv4 behind a local NAT64"],
    ["2001:0:7f00:1::1", "IPv4 in a Teredo tunnel"],
    ["2002:7f00:1::1", "IPv4 in a 6to4 tunnel"],
    ["2a00:1450::5efe:7f00:1", "IPv4 in an ISATAP tunnel"],
    ["2a00:1450::200:5efe:10.0.0.1", "IPv4 in an ISATAP tunnel"],
    ["fd00:ec2::254", "unique local"],
    ["fe80::1", "link-local"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["2001:db8::1", "for documentation"],
    ["3fff:fff::1", "for documentation"],
    ["4000::1", "not global unicast"],
  ])("%s is refused: %s", (address, what) => {
    expect(judgeAddress(address)).toBe(what);
  });

  test.each(["2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001:810::200e", "2400:cb00::1"])(
    "%s is public",
    (address) => {
      expect(judgeAddress(address)).toBeUndefined();
    },
  );
});

test.each(
  [
    ["", "localhost", "127.1", "0177.0.0.1", "0x7f000001", "2130706433", "8.8.8.8 ", " 8.8.8.8", "8.8.8.8:443"],
    ["[2606:4700::1]", "2606:4700::1%eth0", "fe80::1%1", "8.8.8.08", "8.8.8", "8.8.8.8.8", "1::2::3", "8.8.8.8/32"],
  ].flat(),
)("%j is no address, and so not a public one", (text) => {
  expect(judgeAddress(text)).toBe("not an address");
});

function numberOf(text: string): bigint {
  const [head = "", tail = ""] = text.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":").map((group) => BigInt(`0x${group}`)));
  const [before, behind] = [groups(head), groups(tail)];
  const all = [...before, ...Array.from({ length: 8 - before.length - behind.length }, () => 0n), ...behind];
  return all.reduce((sum, group) => (sum << 16n) + group, 0n);
}
