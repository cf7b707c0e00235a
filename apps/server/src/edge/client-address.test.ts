import { describe, expect, test } from "vitest";
import { addressBlock, canonicalAddress, clientAddresses } from "./client-address.ts";

type Headers = Record<string, string | string[]>;

const trusting = { trustProxy: true, trustedProxies: ["203.0.113.0/24", "2001:db8:cd::/48"] };

function clientOf(peer: string | undefined, headers: Headers, rules = trusting): string {
  const addresses = clientAddresses(rules);
  return addresses.client(addresses.peer(peer), headers);
}

describe("without SERVICE_TRUST_PROXY", () => {
  test("the TCP peer is the client, whatever the headers say", () => {
    const off = { trustProxy: false, trustedProxies: ["203.0.113.0/24"] };
    const forged = {
      "cf-connecting-ip": "198.51.100.1",
      "x-real-ip": "198.51.100.1",
      "x-forwarded-for": "198.51.100.1",
    };
    for (const peer of ["127.0.0.1", "10.0.0.1", "203.0.113.9", "198.51.100.200"]) {
      expect(clientOf(peer, forged, off)).toBe(peer);
    }
  });
});

describe("with SERVICE_TRUST_PROXY=1", () => {
  test("only a peer that is loopback, private or named speaks for a client", () => {
    const header = { "x-real-ip": "198.51.100.1" };
    const near = [
      "127.0.0.1",
      "127.9.9.9",
      "10.1.2.3",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "::1",
      "fd00::1",
    ];
    for (const peer of [...near, "203.0.113.9", "2001:db8:cd::1", "::ffff:10.0.0.1"]) {
      expect(clientOf(peer, header)).toBe("198.51.100.1");
    }
    for (const peer of [
      "198.51.100.77",
      "172.32.0.1",
      "169.254.1.1",
      "100.64.0.1",
      "2001:db8::1",
      "fe80::1",
      "8.8.8.8",
    ]) {
      expect(clientOf(peer, header)).toBe(canonicalAddress(peer));
    }
  });

  test("without a chain a single valid client-IP header names the client", () => {
    expect(clientOf("127.0.0.1", { "cf-connecting-ip": "198.51.100.1" })).toBe("198.51.100.1");
    expect(clientOf("127.0.0.1", { "x-real-ip": "2001:DB8:0:0::5" })).toBe("2001:db8::5");
    expect(clientOf("127.0.0.1", { "x-real-ip": "198.51.100.1", "cf-connecting-ip": "198.51.100.1" })).toBe(
      "198.51.100.1",
    );
    expect(clientOf("127.0.0.1", { "x-real-ip": "198.51.100.1", "cf-connecting-ip": "nonsense" })).toBe("198.51.100.1");
    expect(clientOf("127.0.0.1", { "x-real-ip": "198.51.100.1", "x-forwarded-for": "" })).toBe("198.51.100.1");
  });

  test("two client-IP headers that disagree are both disbelieved", () => {
    expect(clientOf("127.0.0.1", { "cf-connecting-ip": "1.1.1.1", "x-real-ip": "198.51.100.1" })).toBe("127.0.0.1");
  });

  test("beside a chain no client-IP header counts: a proxy that appends passes the visitor's own on", () => {
    const chain = { "x-forwarded-for": "6.6.6.6, 192.0.2.9" };
    const claims: Headers[] = [
      { "cf-connecting-ip": "198.51.100.1" },
      { "x-real-ip": "198.51.100.1" },
      { "x-real-ip": "198.51.100.1", "cf-connecting-ip": "198.51.100.1" },
      { "x-real-ip": "6.6.6.6" },
      { "x-real-ip": "192.0.2.9" },
    ];
    for (const claim of claims) expect(clientOf("127.0.0.1", { ...claim, ...chain })).toBe("192.0.2.9");
    expect(clientOf("127.0.0.1", { "x-real-ip": "1.1.1.1", "x-forwarded-for": "1.1.1.1, rubbish" })).toBe("127.0.0.1");
  });

  test("a header that contradicts the chain is told of; one that repeats it, or stands alone, is not", () => {
    let told = 0;
    const addresses = clientAddresses(trusting, () => void (told += 1));
    const client = (headers: Headers) => addresses.client(addresses.peer("127.0.0.1"), headers);
    client({ "x-real-ip": "192.0.2.9", "x-forwarded-for": "6.6.6.6, 192.0.2.9" });
    client({ "x-real-ip": "192.0.2.9" });
    client({ "x-forwarded-for": "192.0.2.9" });
    client({ "x-real-ip": "nonsense", "x-forwarded-for": "192.0.2.9" });
    addresses.client(addresses.peer("8.8.8.8"), { "x-real-ip": "1.1.1.1", "x-forwarded-for": "192.0.2.9" });
    expect(told).toBe(0);
    client({ "x-real-ip": "1.1.1.1", "x-forwarded-for": "192.0.2.9" });
    expect(told).toBe(1);
  });

  test("a repeated, padded or malformed client-IP header is no address", () => {
    const bad = [
      "1.1.1.1, 2.2.2.2",
      "1.1.1.1,1.1.1.1",
      "",
      "unknown",
      "1.1.1.1:80",
      "[::1]",
      "01.1.1.1",
      "0x7f.1",
      "fe80::1%eth0",
      "1.1.1.1\u0000",
    ];
    for (const value of bad) expect(clientOf("10.0.0.1", { "x-real-ip": value })).toBe("10.0.0.1");
    expect(clientOf("10.0.0.1", { "x-real-ip": ["1.1.1.1", "2.2.2.2"] })).toBe("10.0.0.1");
  });

  test("in the chain only named proxies are skipped, from the right", () => {
    const chain = (value: string) => clientOf("127.0.0.1", { "x-forwarded-for": value });
    expect(chain("198.51.100.1")).toBe("198.51.100.1");
    expect(chain("6.6.6.6, 198.51.100.1")).toBe("198.51.100.1");
    expect(chain("6.6.6.6,198.51.100.1 ,\t203.0.113.5, 203.0.113.6")).toBe("198.51.100.1");
    expect(chain("6.6.6.6, 2001:db8:cd::9")).toBe("6.6.6.6");
  });

  test("a private address in the chain is a client, not a hop to skip", () => {
    expect(clientOf("127.0.0.1", { "x-forwarded-for": "6.6.6.6, 10.0.0.8" })).toBe("10.0.0.8");
    expect(clientOf("127.0.0.1", { "x-forwarded-for": "6.6.6.6, 127.0.0.1" })).toBe("127.0.0.1");
  });

  test("a chain of trusted hops only gives its leftmost one", () => {
    expect(clientOf("10.0.0.1", { "x-forwarded-for": "203.0.113.1, 203.0.113.2" })).toBe("203.0.113.1");
  });

  test("a malformed hop ends the walk at the last address that is known", () => {
    expect(clientOf("10.0.0.1", { "x-forwarded-for": "1.1.1.1, rubbish, 203.0.113.2" })).toBe("203.0.113.2");
    expect(clientOf("10.0.0.1", { "x-forwarded-for": "1.1.1.1, " })).toBe("10.0.0.1");
    expect(clientOf("10.0.0.1", { "x-forwarded-for": "" })).toBe("10.0.0.1");
    expect(clientOf("10.0.0.1", { "x-forwarded-for": "," })).toBe("10.0.0.1");
    expect(clientOf("10.0.0.1", { "x-forwarded-for": ",203.0.113.2" })).toBe("203.0.113.2");
    expect(clientOf("10.0.0.1", { "x-forwarded-for": 'for="127.0.0.\\1"' })).toBe("10.0.0.1");
  });

  test("a chain as long as the headers allow is walked for a bounded number of hops", () => {
    const long = Array.from({ length: 1_000 }, () => "203.0.113.2").join(",");
    expect(clientOf("10.0.0.1", { "x-forwarded-for": `6.6.6.6,${long}` })).toBe("203.0.113.2");
  });

  test("the Forwarded header and its relatives are not read", () => {
    const others = {
      forwarded: "for=1.1.1.1",
      "true-client-ip": "1.1.1.1",
      "x-client-ip": "1.1.1.1",
      "x-forwarded-host": "evil",
    };
    expect(clientOf("10.0.0.1", others)).toBe("10.0.0.1");
  });

  test("a peer without any header is the client itself", () => {
    expect(clientOf("10.0.0.1", {})).toBe("10.0.0.1");
  });
});

test("a connection that is already gone has no address and is no proxy", () => {
  expect(clientOf(undefined, { "x-real-ip": "1.1.1.1" })).toBe("unknown");
});

test("one address has one text", () => {
  expect(canonicalAddress("::FFFF:198.51.100.1")).toBe("198.51.100.1");
  expect(canonicalAddress("::ffff:c633:6401")).toBe("198.51.100.1");
  expect(canonicalAddress("2001:0DB8:0:0:0:0:0:1")).toBe("2001:db8::1");
  expect(canonicalAddress("::ffff:0:0")).toBe("0.0.0.0");
  expect(canonicalAddress("::ffff:1:2:3")).toBe("::ffff:1:2:3");
  expect(canonicalAddress("not an address")).toBeUndefined();
});

test("callers are told apart by IPv4 address and by IPv6 /64", () => {
  expect(addressBlock("198.51.100.1")).toBe("198.51.100.1");
  expect(addressBlock("2001:db8:1:2:aaaa::1")).toBe("2001:db8:1:2::/64");
  expect(addressBlock("2001:db8:1:2:ffff:ffff:ffff:ffff")).toBe("2001:db8:1:2::/64");
  expect(addressBlock("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(addressBlock("::1")).toBe("0:0:0:0::/64");
  expect(addressBlock("2001:db8:1:2::")).toBe("2001:db8:1:2::/64");
});
