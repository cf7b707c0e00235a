import type { WireguardLink } from "./interface-of.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

/** For tests: a key in its one spelling, and an interface as a plan names it and as a host tells it. */
export const wireguardKeyOf = (letter: string) => `${letter.repeat(42)}A=`;

export const wireguardOperation: NetworkWireguard = {
  kind: "network.wireguard",
  interface: "wg0",
  publicKey: wireguardKeyOf("a"),
  listenPort: 51_820,
  addresses: ["fd00::1/64", "10.9.0.1/24"],
  peers: [
    {
      label: "office",
      publicKey: wireguardKeyOf("c"),
      endpoint: { host: "2001:db8::7", port: 51_820 },
      allowedIps: ["fd00::2/128", "10.9.0.2/32", "10.20.0.0/16"],
    },
    {
      label: "laptop",
      publicKey: wireguardKeyOf("b"),
      endpoint: { host: "203.0.113.7", port: 1_024 },
      allowedIps: ["10.9.0.3/32", "fd20::/48"],
      keepaliveSeconds: 25,
    },
  ],
};

/** The same, as the host tells it once it is made. */
export const wireguardLink: WireguardLink = {
  publicKey: wireguardKeyOf("a"),
  listenPort: 51_820,
  mtu: 1_420,
  firewallMark: 0,
  isUp: true,
  addresses: ["10.9.0.1/24", "fd00::1/64"],
  routes: ["10.20.0.0/16", "fd20::/48"],
  peers: [
    {
      publicKey: wireguardKeyOf("b"),
      allowedIps: ["10.9.0.3/32", "fd20::/48"],
      keepaliveSeconds: 25,
      hasPresharedKey: false,
    },
    {
      publicKey: wireguardKeyOf("c"),
      allowedIps: ["10.20.0.0/16", "10.9.0.2/32", "fd00::2/128"],
      keepaliveSeconds: 0,
      hasPresharedKey: false,
    },
  ],
};
