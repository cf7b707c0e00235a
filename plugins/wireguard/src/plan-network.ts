import type { NetworkWireguard, PlanDraft } from "@gatehouse/plan";
import { type PlanQuestion, refuse } from "@gatehouse/plugin-sdk";
import type { WireguardInput } from "./input.ts";
import { findKeys, type KeyedMember, type Member, membersOf } from "./members.ts";
import { nodeAddresses } from "./node-addresses.ts";

type Peer = NetworkWireguard["peers"][number];

/** A node behind a router keeps its way back open; 25 seconds is less than routers forget after. */
const keepaliveSeconds = 25;

/**
 * A plan that gives each node its interface, addresses and peers. Asked without states, it has no peers yet: the server learns from it
 * whom to ask for which key. Asked with them, it joins the nodes by the keys that their hosts have told. No private key is in it,
 * because none was ever here.
 */
export function planNetwork({ input, nodes: asked }: PlanQuestion<WireguardInput>): PlanDraft {
  const members = membersOf(input, asked);
  refuseUnreachable(input, members);
  const keyed = findKeys(input, members, asked);
  const { name, shape } = input.network;
  const nodes = `${members.length} nodes`;
  const summary = [
    ...(keyed === undefined
      ? [`Would join ${nodes} as a ${shape.form}, once their hosts have told their public keys.`]
      : [`Joins ${nodes} as a ${shape.form}.`]),
    ...(shape.form === "hub" ? ["The hub passes packets on only if its kernel forwards them."] : []),
  ];
  return {
    title: `WireGuard network ${name} for ${nodes}`,
    summary: summary.join(" "),
    sections:
      keyed?.map((member) => sectionOf(input, member, member.publicKey, peersOf(input, member, keyed))) ??
      members.map((member) => sectionOf(input, member, null, [])),
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

function sectionOf(
  { network }: WireguardInput,
  { id, number }: Member,
  publicKey: string | null,
  peers: Peer[],
): PlanDraft["sections"][number] {
  const operation: NetworkWireguard = {
    kind: "network.wireguard",
    interface: network.interface,
    publicKey,
    listenPort: network.listenPort,
    ...(network.mtu === undefined ? {} : { mtu: network.mtu }),
    addresses: nodeAddresses(network.ranges, number).own,
    peers,
  };
  return { node: id, operations: [operation] };
}

function peersOf({ network }: WireguardInput, member: KeyedMember, keyed: readonly KeyedMember[]): Peer[] {
  const { shape, ranges } = network;
  const isSpoke = shape.form === "hub" && shape.hub !== member.id;
  const others = keyed.filter(({ id }) => id !== member.id);
  return others
    .filter(({ id }) => !isSpoke || id === shape.hub)
    .map((other): Peer => {
      const behind = isSpoke ? others : [other];
      const routes = behind.flatMap((one) => one.routes ?? []);
      // Everything in the network goes to the hub; what is the node's own stays with it by its longer prefix.
      const reached = isSpoke ? ranges : nodeAddresses(ranges, other.number).routed;
      return {
        label: other.label,
        publicKey: other.publicKey,
        allowedIps: [...reached, ...routes].toSorted(),
        ...(other.endpoint === undefined ? {} : { endpoint: other.endpoint }),
        ...(member.endpoint === undefined ? { keepaliveSeconds } : {}),
      };
    });
}

/** Two nodes that both wait to be called never meet; better said now than found out later. */
function refuseUnreachable({ network: { shape } }: WireguardInput, members: readonly Member[]): void {
  if (shape.form === "hub") {
    const hub = members.find(({ id }) => id === shape.hub);
    if (hub === undefined) refuse("network.shape.hub: must be one of the nodes");
    if (hub.endpoint === undefined) refuse(`nodes: ${hub.name} is the hub and needs an endpoint`);
    return;
  }
  const [one, other] = members.filter(({ endpoint }) => endpoint === undefined);
  if (one !== undefined && other !== undefined) {
    refuse(`nodes: neither ${one.name} nor ${other.name} has an endpoint; give one to either, or use a hub`);
  }
}
