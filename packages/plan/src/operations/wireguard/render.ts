import { interfaceLinkOf } from "./interface-of.ts";
import { type NetworkWireguard, wireguardInterface, wireguardName } from "./wireguard-interface.ts";

/** A peer as `wg` reads it. */
export interface RenderedPeer {
  readonly publicKey: string;
  readonly endpoint?: { readonly host: string; readonly port: number } | undefined;
  readonly allowedIps: readonly string[];
  readonly keepaliveSeconds?: number | undefined;
}

/**
 * The text that `wg setconf` loads. It has no private key: the host adds its own with `wg set <interface> private-key <file>`.
 * The operation is read by its schema once more, so nothing that a pattern has not let through can stand in the text.
 */
export function renderWireguard(operation: NetworkWireguard): string {
  const { listenPort, peers } = wireguardInterface.parse(operation);
  return renderConfiguration({ listenPort, firewallMark: 0, peers });
}

/** The same for an interface that was there before. */
export function renderConfiguration(link: {
  readonly listenPort: number;
  readonly firewallMark: number;
  readonly peers: readonly RenderedPeer[];
}): string {
  const { listenPort, firewallMark, peers } = link;
  const blocks = [
    [
      "[Interface]",
      `ListenPort = ${listenPort}`,
      ...(firewallMark === 0 ? [] : [`FwMark = 0x${firewallMark.toString(16)}`]),
    ],
    ...peers.map(({ publicKey, endpoint, allowedIps, keepaliveSeconds = 0 }) => [
      "[Peer]",
      `PublicKey = ${publicKey}`,
      ...(endpoint === undefined ? [] : [`Endpoint = ${renderEndpoint(endpoint)}`]),
      ...(allowedIps.length === 0 ? [] : [`AllowedIPs = ${allowedIps.join(", ")}`]),
      ...(keepaliveSeconds === 0 ? [] : [`PersistentKeepalive = ${keepaliveSeconds}`]),
    ]),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** The lines that `ip -batch` reads once the configuration is loaded: addresses and routes in place of all that were there. */
export function renderLink(operation: NetworkWireguard): string {
  // Which key it has does not stand in them.
  return renderLinkLines(operation.interface, interfaceLinkOf(wireguardInterface.parse(operation), ""));
}

/** The same for an interface that was there before. An interface that is down has no routes, and loses all it had. */
export function renderLinkLines(
  name: string,
  link: {
    readonly mtu: number;
    readonly isUp: boolean;
    readonly addresses: readonly string[];
    readonly routes: readonly string[];
  },
): string {
  const dev = `dev ${wireguardName.parse(name)}`;
  const lines = [
    `link set ${dev} down`,
    `address flush ${dev}`,
    `link set ${dev} mtu ${link.mtu}`,
    ...link.addresses.map((text) => `address add ${text} ${dev}`),
    ...(link.isUp ? [`link set ${dev} up`] : []),
    ...(link.isUp ? link.routes.map((text) => `route add ${text} ${dev}`) : []),
  ];
  return `${lines.join("\n")}\n`;
}

function renderEndpoint({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
