import type { NetworkWireguard, PlanDraft } from "@gatehouse/plan";
import { type PlanNode, type PlanQuestion, refuse } from "@gatehouse/plugin-sdk";
import type { WireguardInput, WireguardNode } from "./input.ts";
import { nodeAddresses } from "./node-addresses.ts";

type Peer = NetworkWireguard["peers"][number];

/** A node behind a router keeps its way back open; 25 seconds is less than routers forget after. */
const keepaliveSeconds = 25;

/**
 * A plan that gives each node its interface, addresses and peers. A node that has no key yet gets an interface without peers: it
 * makes its key when that is applied, and the next plan brings it in. No private key is in it, because none was ever here.
 */
export function planNetwork({ input, nodes: asked }: PlanQuestion<WireguardInput>): PlanDraft {
  refuseOtherNodes(input, asked);
  const nodes = input.nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const known = nodes.filter(hasKey);
  refuseUnreachable(input, known);
  const { network } = input;
  const keyless = nodes.length - known.length;
  const summary = [
    `Joins ${count(known.length, "node")} as a ${network.shape.form}.`,
    ...(keyless === 0 ? [] : [`Makes a key on ${count(keyless, "node")}; plan again to let them in.`]),
    ...(network.shape.form === "hub" ? ["The hub passes packets on only if its kernel forwards them."] : []),
  ];
  return {
    title: `WireGuard network ${network.name} for ${count(nodes.length, "node")}`,
    summary: summary.join(" "),
    sections: nodes.map((node) => ({
      node: node.id,
      operations: [interfaceOf(input, node, known)],
    })),
  };
}

/** Which nodes talk to which, once each: for the map as well as for the peers. */
export function pairsOf(shape: WireguardInput["network"]["shape"], ids: readonly string[]): [string, string][] {
  if (shape.form === "hub") {
    const { hub } = shape;
    return ids.includes(hub) ? ids.filter((id) => id !== hub).map((id) => [hub, id]) : [];
  }
  return ids.flatMap((id, index) => ids.slice(index + 1).map((other): [string, string] => [id, other]));
}

type KnownNode = WireguardNode & { readonly publicKey: string };

function hasKey(node: WireguardNode): node is KnownNode {
  return node.publicKey !== null;
}

function interfaceOf(
  { network, nodes }: WireguardInput,
  node: WireguardNode,
  known: readonly KnownNode[],
): NetworkWireguard {
  const others = hasKey(node) ? known.filter((other) => other.id !== node.id) : [];
  const { shape, ranges } = network;
  const isSpoke = shape.form === "hub" && shape.hub !== node.id;
  const peers = others
    .filter((other) => !isSpoke || other.id === shape.hub)
    .map((other): Peer => {
      const behind = isSpoke ? nodes.filter(({ id }) => id !== node.id) : [other];
      const routes = behind.flatMap(({ routes = [] }) => routes);
      // Everything in the network goes to the hub; what is the node's own stays with it by its longer prefix.
      const reached = isSpoke ? ranges : nodeAddresses(ranges, other.number).routed;
      return {
        label: other.name,
        publicKey: other.publicKey,
        allowedIps: [...reached, ...routes].toSorted(),
        ...(other.endpoint === undefined ? {} : { endpoint: other.endpoint }),
        ...(node.endpoint === undefined ? { keepaliveSeconds } : {}),
      };
    });
  return {
    kind: "network.wireguard",
    interface: network.interface,
    publicKey: node.publicKey,
    listenPort: network.listenPort,
    ...(network.mtu === undefined ? {} : { mtu: network.mtu }),
    addresses: nodeAddresses(ranges, node.number).own,
    peers,
  };
}

/** A peer that is left out of the plan would keep the keys and addresses of another network. */
function refuseOtherNodes({ nodes }: WireguardInput, asked: readonly PlanNode[]): void {
  const missing = nodes.find(({ id }) => !asked.some((node) => node.id === id));
  if (missing !== undefined) {
    refuse(`nodes: ${missing.name} (${missing.id}) is in the input, and the plan is not asked for it`);
  }
  const other = asked.find(({ id }) => !nodes.some((node) => node.id === id));
  if (other !== undefined)
    refuse(`nodes: the plan is asked for ${other.name} (${other.id}), which is not in the input`);
}

/** Two nodes that both wait to be called never meet; better said now than found out later. */
function refuseUnreachable({ network: { shape }, nodes }: WireguardInput, known: readonly KnownNode[]): void {
  if (shape.form === "hub") {
    const hub = nodes.find(({ id }) => id === shape.hub);
    if (hub === undefined) refuse("network.shape.hub: must be one of the nodes");
    if (hub.endpoint === undefined) refuse(`nodes: ${hub.name} is the hub and needs an endpoint`);
    return;
  }
  const [one, other] = known.filter(({ endpoint }) => endpoint === undefined);
  if (one !== undefined && other !== undefined) {
    refuse(`nodes: neither ${one.name} nor ${other.name} has an endpoint; give one to either, or use a hub`);
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
