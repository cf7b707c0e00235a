import { expect, test } from "vitest";
import { findNetwork, type Prefix } from "../../addresses.ts";
import { findTunnelFlaw, hasRoomFor, isForHosts, isPrivate, leadsAway } from "./tunnel-networks.ts";

const networkOf = (text: string): Prefix => findNetwork(text) ?? expect.fail(`${text} is no network`);

test("a network has room for the numbers between its own address and its broadcast", () => {
  const room = (text: string, number: number) => hasRoomFor(networkOf(text), number);
  expect([room("10.77.0.0/24", 254), room("10.77.0.0/24", 255), room("10.77.0.1/32", 1)]).toEqual([true, false, false]);
  expect([room("10.77.0.0/16", 65_534), room("10.0.0.0/8", 65_534), room("fd77::/64", 65_534)]).toEqual(
    Array.from({ length: 3 }, () => true),
  );
});

test("hosts have addresses of no network that is nobody's, everybody's or of many", () => {
  const isFor = (text: string) => isForHosts(networkOf(text));
  for (const text of ["10.9.0.0/24", "223.255.255.0/24", "fd00::/64", "2001:db8::/48"])
    expect(isFor(text), text).toBe(true);
  const others = [
    "0.0.0.0/24",
    "127.0.0.0/8",
    "224.0.0.0/24",
    "255.255.255.255/32",
    "64.0.0.0/2",
    "::/64",
    "ff05::/64",
  ];
  for (const text of others) expect(isFor(text), text).toBe(false);
});

test("private is what lies wholly in a network that organisations give out as they like", () => {
  const isOwn = (text: string) => isPrivate(networkOf(text));
  for (const text of ["10.0.0.0/8", "172.31.0.0/16", "192.168.7.1/32", "100.64.0.0/10", "fc00::/7", "fd00::/64"])
    expect(isOwn(text), text).toBe(true);
  for (const text of ["8.0.0.0/6", "172.32.0.0/16", "192.0.2.0/24", "100.128.0.0/16", "f000::/4", "2001:db8::/48"])
    expect(isOwn(text), text).toBe(false);
});

test.each([
  ["10.0.0.0/8", undefined],
  ["172.16.0.0/12", undefined],
  ["fd00::/16", undefined],
  ["203.0.113.0/24", undefined],
  ["2001:db8:7::/48", undefined],
  ["0.0.0.0/0", "must not be all addresses there are"],
  ["::/0", "must not be all addresses there are"],
  ["0.0.0.0/1", "must be no wider than /24, or private"],
  ["8.0.0.0/7", "must be no wider than /24, or private"],
  ["203.0.112.0/23", "must be no wider than /24, or private"],
  ["2000::/3", "must be no wider than /48, or private"],
  ["2001:db8::/47", "must be no wider than /48, or private"],
  ["fd00::/8", "must be no wider than /16"],
  ["169.254.169.254/32", "must not be link-local"],
  ["169.0.0.0/8", "must be no wider than /24, or private"],
  ["fe80::/10", "must not be link-local"],
  ["fe80::1/128", "must not be link-local"],
])("what may be led into a tunnel: %s", (text, flaw) => {
  expect(findTunnelFlaw(networkOf(text))).toBe(flaw);
});

test("answers to a network are led away by what shares an address with it, and answers to everywhere by what is public", () => {
  const isLed = (network: string, source: string) => leadsAway(networkOf(network), networkOf(source));
  expect([isLed("10.77.0.0/24", "10.0.0.0/8"), isLed("10.0.0.0/8", "10.77.0.1/32")]).toEqual([true, true]);
  expect([isLed("10.77.0.0/24", "10.78.0.0/24"), isLed("10.77.0.0/24", "fd77::/64")]).toEqual([false, false]);
  expect([isLed("10.77.0.0/24", "0.0.0.0/0"), isLed("fd77::/64", "::/0")]).toEqual([false, false]);
  expect([isLed("192.0.2.7/32", "0.0.0.0/0"), isLed("2001:db8::/48", "::/0")]).toEqual([true, true]);
  expect([isLed("192.0.2.7/32", "::/0"), isLed("10.77.0.0/24", "0.0.0.0/1")]).toEqual([false, true]);
});
