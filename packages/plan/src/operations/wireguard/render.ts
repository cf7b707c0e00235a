import { type NetworkWireguard, networkWireguard } from "./network-wireguard.ts";

/**
 * The text that `wg setconf` loads. It has no private key: the host adds its own with `wg set <interface> private-key <file>`.
 * The operation is read by its schema once more, so nothing that a pattern has not let through can stand in the text.
 */
export function renderWireguard(operation: NetworkWireguard): string {
  const { listenPort, peers } = networkWireguard.schema.parse(operation);
  const blocks = [
    ["[Interface]", ...(listenPort === undefined ? [] : [`ListenPort = ${listenPort}`])],
    ...peers.map((peer) => [
      `# ${peer.label}`,
      "[Peer]",
      `PublicKey = ${peer.publicKey}`,
      ...(peer.endpoint === undefined ? [] : [`Endpoint = ${renderEndpoint(peer.endpoint)}`]),
      `AllowedIPs = ${peer.allowedIps.join(", ")}`,
      ...(peer.keepaliveSeconds === undefined ? [] : [`PersistentKeepalive = ${peer.keepaliveSeconds}`]),
    ]),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function renderEndpoint({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
