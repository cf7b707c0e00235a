import { type PlanNode, refuse } from "@gatehouse/plugin-sdk";
import type { WireguardInput, WireguardNode } from "./input.ts";

/** A node of the network, as the input and the question know it together. */
export interface Member extends WireguardNode {
  readonly name: string;
  /** What others see beside its key. */
  readonly label: string;
}

/** One whose host has told its key. */
export interface KeyedMember extends Member {
  readonly publicKey: string;
}

/** The nodes of the input with what the question says of them, in the order of their ids. Who stands in one of the two alone is named. */
export function membersOf({ nodes }: WireguardInput, asked: readonly PlanNode[]): Member[] {
  const known = new Map(asked.map((node) => [node.id, node]));
  const other = asked.find(({ id }) => !nodes.some((node) => node.id === id));
  if (other !== undefined) {
    refuse(`nodes: the plan is asked for ${other.name} (${other.id}), which is not in the input`);
  }
  return nodes
    .map((node) => {
      // A peer that is left out of the plan would keep the keys and addresses of another network.
      const found = known.get(node.id) ?? refuse(`nodes: ${node.id} is in the input, and the plan is not asked for it`);
      return { ...node, name: found.name, label: labelOf(found) };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether the hosts were asked: without, a plan only says whom to ask. */
export function wereHostsAsked(asked: readonly PlanNode[]): boolean {
  return asked.some(({ states }) => states.length > 0);
}

/** The same with the keys that their hosts have told; nothing while the server has asked no host. */
export function findKeys(
  { network }: WireguardInput,
  members: readonly Member[],
  asked: readonly PlanNode[],
): KeyedMember[] | undefined {
  if (!wereHostsAsked(asked)) return undefined;
  const subject = `wireguard:${network.interface}`;
  const keys = new Map(
    asked.map(({ id, states }) => [id, states.find((state) => state.subject === subject)?.publicKey]),
  );
  const keyed = members.map((member) => {
    const publicKey =
      keys.get(member.id) ??
      refuse(`nodes: ${member.name} (${member.id}) has told no public key for ${network.interface}`);
    return { ...member, publicKey };
  });
  refuseSharedKey(keyed);
  return keyed;
}

/** Copies of one machine: whoever speaks last would get the packets of both. */
function refuseSharedKey(keyed: readonly KeyedMember[]): void {
  const owners = new Map<string, KeyedMember>();
  for (const member of keyed) {
    const before = owners.get(member.publicKey);
    if (before !== undefined) {
      refuse(`nodes: ${before.name} and ${member.name} have told one and the same key; each host needs its own`);
    }
    owners.set(member.publicKey, member);
  }
}

/** Short, so that the largest mesh still fits into an answer. */
const labelCharacters = 32;
const plainName = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9])?$/;

/** The node's name, or a plain form of it that the last digits of its id tell from others. */
function labelOf({ id, name }: PlanNode): string {
  if (name.length <= labelCharacters && plainName.test(name)) return name;
  const digits = id.slice(-8);
  const plain = name
    .replaceAll(/[^A-Za-z0-9 ._-]+/g, "-")
    .slice(0, labelCharacters - digits.length - 1)
    .replace(/^[^A-Za-z0-9]+/, "");
  return plain === "" ? digits : `${plain} ${digits}`;
}
