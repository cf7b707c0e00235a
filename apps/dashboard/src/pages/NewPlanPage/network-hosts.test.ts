import { findNetwork } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { sampleNode } from "../../widgets/Fleet/sample-node.ts";
import { addressIn, suggestAddress, suggestNumbers } from "./network-hosts.ts";

const rangeOf = (text: string) => {
  const found = findNetwork(text);
  if (found === undefined) throw new Error(`${text} is no network`);
  return found;
};
const four = rangeOf("10.77.0.0/24");
const six = rangeOf("fd77::/64");
const host = (name: string, addresses: string[] = [], address: string | null = null) =>
  sampleNode({ id: `node_${name}`, name, addresses, address });
const nobody = () => undefined;

test("numbers are given in the order of names, whatever the order of the hosts", () => {
  const hosts = ["web-10", "web-2", "db"].map((name) => host(name));
  const numbers = { node_db: "1", "node_web-2": "2", "node_web-10": "3" };
  expect(Object.fromEntries(suggestNumbers(hosts, [four], nobody))).toEqual(numbers);
  expect(Object.fromEntries(suggestNumbers(hosts.toReversed(), [four], nobody))).toEqual(numbers);
});

test("a host that has an address of the network keeps its number, and nobody gets one that is taken", () => {
  const hosts = [host("a"), host("b", ["192.0.2.7", "10.77.0.1"]), host("c", ["fd77::9"]), host("d")];
  const typed = (id: string) => (id === "node_d" ? "2" : undefined);
  expect(Object.fromEntries(suggestNumbers(hosts, [four, six], typed))).toEqual({
    node_a: "3",
    node_b: "1",
    node_c: "9",
  });
});

test("two hosts that tell one address get two numbers, and the network's own addresses are no numbers", () => {
  const hosts = [host("a", ["10.77.0.5"]), host("b", ["10.77.0.5"]), host("c", ["10.77.0.255"])];
  expect([...suggestNumbers(hosts, [four], nobody).values()].toSorted()).toEqual(["1", "2", "5"]);
});

test("a number becomes an address in every range that has room for it", () => {
  expect(addressIn(four, 254)).toBe("10.77.0.254");
  expect(addressIn(rangeOf("10.64.0.0/12"), 65_534)).toBe("10.64.255.254");
  expect(addressIn(six, 300)).toBe("fd77::12c");
});

test.each([
  ["the address with which it calls, if it is its own", ["10.0.0.7", "192.0.2.7"], "10.0.0.7", "10.0.0.7"],
  ["a public one that it told", ["10.0.0.7", "2001:db8::7", "192.0.2.7"], "127.0.0.1", "192.0.2.7"],
  ["nothing behind a router", ["192.168.1.5"], "198.51.100.4", ""],
  ["a private one among private ones", ["192.168.1.5"], "192.168.1.1", "192.168.1.5"],
  ["where it calls from, if it told nothing", [], "198.51.100.4", "198.51.100.4"],
  ["nothing of the network itself, of its wire or of itself", ["10.77.0.3", "fe80::1", "127.0.0.1"], "::1", ""],
  ["nothing that is no address", ["::ffff:192.0.2.7", "?"], null, ""],
] as const)("where others may reach a host: %s", (_what, told, from, expected) => {
  expect(suggestAddress(host("a", [...told], from), [four])).toBe(expected);
});
