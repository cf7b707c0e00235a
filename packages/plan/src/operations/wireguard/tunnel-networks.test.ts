import { expect, test } from "vitest";
import { findNetwork, type Prefix } from "../../addresses.ts";
import { hasRoomFor, isForHosts } from "./tunnel-networks.ts";

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
