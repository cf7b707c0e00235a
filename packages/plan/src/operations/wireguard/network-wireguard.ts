import * as z from "zod";
import { address, networksOf, prefix } from "../../addresses.ts";
import { hostName, isDistinct, port, wireguardKey } from "../../fields.ts";
import { countOf, sayList } from "../../say.ts";
import { defineOperation, diffInWords, lintLater } from "../descriptor.ts";

const peer = z.strictObject({
  /** What a reviewer sees beside the key. */
  label: z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,62}[A-Za-z0-9])?$/, "must be 1 to 64 plain characters"),
  publicKey: wireguardKey,
  endpoint: z.strictObject({ host: z.union([address, hostName]), port }).optional(),
  allowedIps: networksOf(256),
  keepaliveSeconds: z.int().min(1).max(65_535).optional(),
});

const schema = z.strictObject({
  kind: z.literal("network.wireguard"),
  interface: z.string().regex(/^wg[a-z0-9]{1,12}$/, "must be wg and 1 to 12 of a-z and 0-9"),
  /** The key that the host must have. Null: make one if there is none yet. */
  publicKey: wireguardKey.nullable(),
  listenPort: port.optional(),
  mtu: z.int().min(1_280).max(9_000).optional(),
  addresses: z.array(prefix).min(1).max(16).refine(isDistinct, "must not name one twice"),
  peers: z
    .array(peer)
    .max(1_000)
    .refine((peers) => isDistinct(peers.map(({ publicKey }) => publicKey)), "must not name a key twice")
    .refine(
      // WireGuard gives a route that two peers claim to the last one, silently.
      (peers) => isDistinct(peers.flatMap(({ allowedIps }) => allowedIps)),
      "must not give one network to two peers",
    ),
});
export type NetworkWireguard = z.output<typeof schema>;

/**
 * Sets up one WireGuard interface. Private keys are made on the host and stay there: a plan holds public keys only, and has no
 * field that could hold another.
 */
export const networkWireguard = defineOperation({
  kind: "network.wireguard",
  capability: "host:network",
  hosts: "later",
  says: "Sets up a WireGuard interface with its addresses and peers.",
  schema,
  subject: (operation) => `wireguard:${operation.interface}`,
  state: null,
  words: wireguardWords,
  lint: lintLater,
  diff: (operation) => diffInWords(wireguardWords(operation)),
  work: null,
});

function wireguardWords({ interface: name, addresses, listenPort, peers }: NetworkWireguard): string[] {
  const listens = listenPort === undefined ? "" : `, listens on udp ${listenPort}`;
  return [
    `Sets up the WireGuard interface ${name}: addresses ${sayList(addresses)}${listens}, ${countOf(peers.length, "peer")}.`,
    ...peers.map(({ label, publicKey, endpoint, allowedIps }) => {
      const at = endpoint === undefined ? "" : ` at ${endpoint.host} port ${endpoint.port}`;
      return `Peer ${label}${at}: ${sayList(allowedIps)}, key ${publicKey}.`;
    }),
  ];
}
