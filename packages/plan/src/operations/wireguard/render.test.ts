import { expect, test } from "vitest";
import { networkWireguard } from "./network-wireguard.ts";
import { renderWireguard } from "./render.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

const key = (letter: string) => `${letter.repeat(42)}A=`;
const operation: NetworkWireguard = {
  kind: "network.wireguard",
  interface: "wg0",
  publicKey: key("a"),
  listenPort: 51_820,
  addresses: ["10.9.0.1/24", "fd00::1/64"],
  peers: [
    {
      label: "office",
      publicKey: key("b"),
      endpoint: { host: "2001:db8::7", port: 51_820 },
      allowedIps: ["10.9.0.2/32", "fd00::2/128"],
    },
    { label: "laptop", publicKey: key("c"), allowedIps: ["10.9.0.3/32"], keepaliveSeconds: 25 },
  ],
};

test("the text for wg has peers by their public keys, and no private key", () => {
  expect(renderWireguard(operation)).toBe(`[Interface]
ListenPort = 51820

[Peer]
PublicKey = ${key("b")}
Endpoint = [2001:db8::7]:51820
AllowedIPs = 10.9.0.2/32, fd00::2/128

[Peer]
PublicKey = ${key("c")}
AllowedIPs = 10.9.0.3/32
PersistentKeepalive = 25
`);
});

test("two peers can have neither one key nor one network", () => {
  const [office, laptop] = operation.peers;
  const with2 = (changes: object) =>
    networkWireguard.schema.safeParse({ ...operation, peers: [office, { ...laptop, ...changes }] });
  expect(with2({}).success).toBe(true);
  expect(with2({ publicKey: key("b") }).success).toBe(false);
  expect(with2({ allowedIps: ["10.9.0.2/32"] }).success).toBe(false);
});

test("an operation that the schema does not know is not turned into text", () => {
  expect(() => renderWireguard({ ...operation, interface: "eth0" })).toThrow(/wg/);
});
