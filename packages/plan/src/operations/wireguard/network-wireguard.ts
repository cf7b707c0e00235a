import { countOf, sayList } from "../../say.ts";
import { sshSubject, wireguardState } from "../../states.ts";
import { defineOperation } from "../descriptor.ts";
import { diffWireguard } from "./diff.ts";
import { lintWireguard } from "./lint.ts";
import { type NetworkWireguard, wireguardInterface, wireguardPrefix } from "./wireguard-interface.ts";
import { wireguardWork } from "./wireguard-words.ts";

/**
 * Sets up one WireGuard interface. Private keys are made on the host and stay there: a plan holds public keys only, and has no
 * field that could hold another.
 */
export const networkWireguard = defineOperation({
  kind: "network.wireguard",
  capability: "host:network",
  says: "Sets up a WireGuard interface with its addresses and peers.",
  schema: wireguardInterface,
  subject: (operation) => `${wireguardPrefix}${operation.interface}`,
  state: wireguardState,
  lintReads: [sshSubject],
  words: wireguardSentences,
  lint: lintWireguard,
  diff: diffWireguard,
  work: wireguardWork,
});

function wireguardSentences({ interface: name, addresses, listenPort, peers }: NetworkWireguard): string[] {
  return [
    `Sets up the WireGuard interface ${name}: addresses ${sayList(addresses)}, listens on udp ${listenPort}, ${countOf(peers.length, "peer")}.`,
    ...peers.map(({ label, publicKey, endpoint, allowedIps }) => {
      const at = endpoint === undefined ? "" : ` at ${endpoint.host} port ${endpoint.port}`;
      return `Peer ${label}${at}: ${sayList(allowedIps)}, key ${publicKey}.`;
    }),
  ];
}
