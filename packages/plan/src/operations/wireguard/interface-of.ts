import { findNetwork, findPrefix, liesIn, writePrefix } from "../../addresses.ts";
import type { WireguardState } from "../../states.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

export type WireguardLink = NonNullable<WireguardState["interface"]>;

/** What the kernel and wireguard-go give an interface of which nobody says it. */
const usualMtu = 1_420;

/** The interface as the host tells it once the operation is made. `publicKey` is the key that the host keeps for it. */
export function interfaceLinkOf(operation: NetworkWireguard, publicKey: string): WireguardLink {
  const { addresses, listenPort, mtu = usualMtu, peers } = operation;
  return {
    publicKey,
    listenPort,
    mtu,
    firewallMark: 0,
    isUp: true,
    addresses: addresses.toSorted(),
    routes: routesOf(operation).toSorted(),
    peers: peers
      .map(({ publicKey: key, allowedIps, keepaliveSeconds = 0 }) => ({
        publicKey: key,
        allowedIps: allowedIps.toSorted(),
        keepaliveSeconds,
        hasPresharedKey: false,
      }))
      .toSorted((one, other) => (one.publicKey < other.publicKey ? -1 : 1)),
  };
}

/** Networks of peers that no address of the interface leads to: the kernel adds a route for each address by itself. */
export function routesOf({ addresses, peers }: Pick<NetworkWireguard, "addresses" | "peers">): string[] {
  const connected = addresses.flatMap((text) => findPrefix(text) ?? []);
  return peers
    .flatMap(({ allowedIps }) => allowedIps)
    .filter((text) => {
      const wanted = findNetwork(text);
      return wanted !== undefined && !connected.some((one) => liesIn(wanted, one));
    });
}

/** Everything that the interface leads to: its own networks and its routes. */
export function reachOf(operation: Pick<NetworkWireguard, "addresses" | "peers">): string[] {
  const own = operation.addresses.flatMap((text) => {
    const found = findPrefix(text);
    return found === undefined ? [] : [writePrefix(found)];
  });
  return [...new Set([...own, ...routesOf(operation)])];
}
