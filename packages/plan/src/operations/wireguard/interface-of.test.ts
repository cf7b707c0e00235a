import fc from "fast-check";
import { expect, test } from "vitest";
import { findNetwork, findPrefix, overlaps, writePrefix } from "../../addresses.ts";
import { anyOperation } from "../../plan-cases.ts";
import { wireguardState } from "../../states.ts";
import { interfaceLinkOf, reachOf, routesOf } from "./interface-of.ts";
import { wireguardKeyOf, wireguardLink, wireguardOperation as operation } from "./wireguard-cases.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

const anyInterface = anyOperation.filter((one): one is NetworkWireguard => one.kind === "network.wireguard");
const given = (addresses: string[], ...allowedIps: string[]) => ({
  addresses,
  peers: [{ label: "one", publicKey: wireguardKeyOf("b"), allowedIps }],
});

test("an interface is told with its lists sorted, the key of its host and what nobody said as it usually is", () => {
  expect(interfaceLinkOf(operation, wireguardKeyOf("a"))).toEqual(wireguardLink);
  expect(interfaceLinkOf({ ...operation, mtu: 1_280 }, wireguardKeyOf("d"))).toEqual({
    ...wireguardLink,
    mtu: 1_280,
    publicKey: wireguardKeyOf("d"),
  });
});

test("the order in which a plan names things makes no other interface", () => {
  const turned = {
    ...operation,
    addresses: operation.addresses.toReversed(),
    peers: operation.peers.map((peer) => ({ ...peer, allowedIps: peer.allowedIps.toReversed() })).toReversed(),
  };
  expect(interfaceLinkOf(turned, wireguardKeyOf("a"))).toEqual(wireguardLink);
});

test("what an address leads to already gets no route, and what is wider than it does", () => {
  expect(routesOf(given(["10.9.0.1/24"], "10.9.0.2/32", "10.9.0.0/24"))).toEqual([]);
  expect(routesOf(given(["10.9.0.1/24"], "10.9.0.0/16", "10.8.0.0/24"))).toEqual(["10.9.0.0/16", "10.8.0.0/24"]);
  expect(routesOf(given(["10.9.0.1/32"], "10.9.0.2/32"))).toEqual(["10.9.0.2/32"]);
  expect(routesOf(given(["10.9.0.1/24", "fd00::1/64"], "fd00::2/128", "fd00:0:0:1::/64"))).toEqual(["fd00:0:0:1::/64"]);
});

test("an interface leads to the networks of its addresses and to its routes, each once", () => {
  expect(reachOf(operation)).toEqual(["fd00::/64", "10.9.0.0/24", "10.20.0.0/16", "fd20::/48"]);
  expect(reachOf(given(["10.9.0.1/24", "10.9.0.7/24"], "10.9.0.0/16"))).toEqual(["10.9.0.0/24", "10.9.0.0/16"]);
});

test("nothing inside a connected network becomes a route, and everything else of a peer does", () => {
  fc.assert(
    fc.property(anyInterface, (one) => {
      const connected = one.addresses.flatMap((text) => findPrefix(text) ?? []);
      const routes = routesOf(one);
      for (const text of one.peers.flatMap(({ allowedIps }) => allowedIps)) {
        const network = findNetwork(text);
        const isLed = connected.some((own) => network && own.length <= network.length && overlaps(own, network));
        expect(routes.includes(text)).toBe(!isLed);
      }
    }),
    { numRuns: 300, seed: 5 },
  );
});

test("what a plan makes is a state that hosts may tell, and its networks have no bits behind them", () => {
  fc.assert(
    fc.property(anyInterface, (one) => {
      const told = { publicKey: wireguardKeyOf("a"), interface: interfaceLinkOf(one, wireguardKeyOf("a")) };
      expect(wireguardState.parse(told)).toEqual(told);
      for (const text of reachOf(one)) expect(writePrefix(findNetwork(text) ?? expect.fail(text))).toBe(text);
    }),
    { numRuns: 300, seed: 6 },
  );
});
