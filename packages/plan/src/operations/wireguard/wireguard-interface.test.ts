import { expect, test } from "vitest";
import { wireguardKeyOf, wireguardOperation as operation } from "./wireguard-cases.ts";
import { isLinkLocal, tunnelNetworks, tunnelRanges, wireguardInterface } from "./wireguard-interface.ts";

const isTaken = (changes: object) => wireguardInterface.safeParse({ ...operation, ...changes }).success;
const [office, laptop] = operation.peers;

test("an interface is wg and a short name", () => {
  for (const name of ["wg0", "wgoffice", "wg123456789012"]) expect(isTaken({ interface: name })).toBe(true);
  for (const name of ["wg", "eth0", "wg-0", "WG0", "wg1234567890123", "wg0 "])
    expect(isTaken({ interface: name })).toBe(false);
});

test("the port must be said, and the key may be whichever the host has", () => {
  expect(isTaken({ publicKey: null })).toBe(true);
  for (const changes of [{ listenPort: undefined }, { listenPort: 0 }, { publicKey: undefined }, { mtu: 1_279 }]) {
    expect(isTaken(changes)).toBe(false);
  }
});

test("two peers can have neither one key nor one network", () => {
  const with2 = (changes: object) => isTaken({ peers: [office, { ...laptop, ...changes }] });
  expect(with2({})).toBe(true);
  expect(with2({ publicKey: wireguardKeyOf("c") })).toBe(false);
  expect(with2({ allowedIps: ["10.9.0.2/32"] })).toBe(false);
  // The narrower of the two wins, in the tunnel as among routes.
  expect(with2({ allowedIps: ["10.20.7.0/24"] })).toBe(true);
});

test("an address is one that a host can have, once, and in a network that is not everything", () => {
  const isAddress = (...addresses: string[]) => isTaken({ addresses });
  expect(isAddress("10.9.0.1/24", "10.9.0.2/24", "10.9.0.3/32", "fd00::1/64", "2001:db8::1/128")).toBe(true);
  expect(isAddress()).toBe(false);
  expect(isAddress("10.9.0.1/24", "10.9.0.1/24")).toBe(false);
  expect(isAddress("10.9.0.1/24", "10.9.0.1/16")).toBe(false);
  const others = ["10.9.0.1/0", "fd00::1/0", "fe80::1/64", "febf::1/64", "10.9.0.1", "10.9.0.01/24"];
  // The kernel makes a route of each network.
  for (const one of ["10.9.0.1/7", "192.0.2.1/16", "169.254.1.1/16", "fd00::1/12", "2001:db8::1/32"])
    expect(isAddress(one), one).toBe(false);
  for (const one of [...others, "0.0.0.0/24", "127.0.0.1/8", "224.0.0.5/24", "255.255.255.255/32"]) {
    expect(isAddress(one), one).toBe(false);
  }
  for (const one of ["::/64", "::1/128", "::c000:201/128", "ff02::1/64"]) expect(isAddress(one), one).toBe(false);
});

test("a peer is never given everything, in one network or in parts, nor what is link-local", () => {
  const isGiven = (...allowedIps: string[]) => isTaken({ peers: [{ ...office, allowedIps }] });
  expect(isGiven("10.0.0.0/8", "fd00::/16", "192.0.2.0/24", "2001:db8::/48")).toBe(true);
  for (const parts of [["0.0.0.0/1", "128.0.0.0/1"], ["2000::/3"], ["169.254.169.254/32"], ["192.0.0.0/16"]]) {
    expect(isGiven(...parts), parts.join()).toBe(false);
  }
  for (const one of ["0.0.0.0/0", "::/0", "fe80::/10", "fe80::1/128", "::/96", "::c000:201/128", "10.9.0.2/24"]) {
    expect(isGiven("10.9.0.2/32", one), one).toBe(false);
  }
  expect(isGiven()).toBe(false);
  // The same first bits in IPv4 are something else.
  expect(["fe80::1/64", "fec0::1/64", "254.128.0.0/9"].map(isLinkLocal)).toEqual([true, false, false]);
});

test("a range is a network whose addresses an interface can have", () => {
  const isRange = (...texts: string[]) => tunnelRanges(2).safeParse(texts).success;
  expect([isRange("10.9.0.0/24", "fd00::/64"), isRange("10.0.0.0/8")]).toEqual([true, true]);
  for (const one of [
    "0.0.0.0/0",
    "0.0.0.0/1",
    "127.0.0.0/8",
    "224.0.0.0/4",
    "::/0",
    "::/64",
    "fe80::/64",
    "ff00::/8",
  ]) {
    expect(isRange(one), one).toBe(false);
  }
  expect(tunnelNetworks(2).safeParse(["127.0.0.0/24", "10.9.0.0/24"]).success).toBe(true);
});

test("peers have together no more networks than a host can tell", () => {
  const networks = (at: number, count: number) => Array.from({ length: count }, (_, index) => `10.${at}.${index}.0/24`);
  const peers = Array.from({ length: 64 }, (_, at) => ({
    label: `peer ${at}`,
    publicKey: `${String(at).padStart(42, "0")}A=`,
    allowedIps: networks(at, 256),
  }));
  expect(isTaken({ peers })).toBe(true);
  const more = { label: "one more", publicKey: wireguardKeyOf("z"), allowedIps: ["10.64.0.0/24"] };
  expect(isTaken({ peers: [...peers, more] })).toBe(false);
});

test("an endpoint is an address: a name has to be looked up, and a boot cannot", () => {
  const isFound = (host: string) => isTaken({ peers: [{ ...office, endpoint: { host, port: 1 } }] });
  expect(["192.0.2.1", "2001:db8::1"].map(isFound)).toEqual([true, true]);
  expect(["vpn.example.net", "[2001:db8::1]", "192.0.2.1:1", "fe80::1%eth0"].map(isFound)).toEqual(
    Array.from({ length: 4 }, () => false),
  );
});
