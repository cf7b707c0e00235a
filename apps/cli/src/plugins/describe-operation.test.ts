import type { Operation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { describeOperation } from "./describe-operation.ts";

test("an interface is told with its addresses, its port, how many it lets in, and whose key it has", () => {
  const publicKey = `${"a".repeat(42)}A=`;
  const operation: Operation = {
    kind: "network.wireguard",
    interface: "wg0",
    publicKey,
    listenPort: 51_820,
    addresses: ["10.9.0.1/24", "fd09::1/64"],
    peers: [{ label: "web-2", publicKey: `${"b".repeat(42)}A=`, allowedIps: ["10.9.0.2/32"] }],
  };
  const told = "network.wireguard  wireguard:wg0  10.9.0.1/24 fd09::1/64, udp 51820, ";
  expect(describeOperation(operation)).toBe(`${told}1 peer, key ${publicKey}`);
  expect(describeOperation({ ...operation, publicKey: null, peers: [] })).toBe(
    `${told}0 peers, with the key that the host has`,
  );
});
