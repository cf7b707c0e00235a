import { setImmediate as othersTurn } from "node:timers/promises";
import type { Node, PlanFinding } from "@gatehouse/contract/routes";
import {
  aroundOfTold,
  hostKeysOf,
  lintSection,
  packetWords,
  peerKeysOf,
  type PlanDocument,
  type SectionFinding,
} from "@gatehouse/plan";
import { mapInTurns } from "./in-turns.ts";
import type { PlansDeps } from "./plans-deps.ts";
import type { ReadStates } from "./read-host-states.ts";

/**
 * What the lint finds on each node, in the order of the plan's sections. A table of hundreds of rules takes a while to judge: the
 * same one in the same surroundings is judged once, and between two others have their turn.
 */
export async function lintDocument(
  deps: Pick<PlansDeps, "server">,
  { sections }: PlanDocument,
  known: { readonly told: ReadStates; readonly nodes: readonly Node[]; readonly management: readonly string[] },
): Promise<PlanFinding[][]> {
  const nodes = new Map(known.nodes.map((node) => [node.id, node]));
  const judged = new Map<string, PlanFinding[]>();
  const signed = new Set(hostKeysOf(known.told.values().map(({ states }) => states)));
  return mapInTurns(sections, async ({ node: id, operations }) => {
    const node = nodes.get(id);
    const controlPorts = node === undefined ? [] : controlPortsOf(deps.server, node);
    const around = {
      ...aroundOfTold(known.told.get(id)?.states ?? []),
      management: known.management,
      controlPorts,
      // Of the keys of all hosts those that matter here: together they would grow with the square of a plan.
      hostKeys: peerKeysOf(operations).filter((key) => signed.has(key)),
    };
    const name = JSON.stringify([operations, around]);
    const before = judged.get(name);
    if (before === undefined) await othersTurn();
    const findings = before ?? lintSection(operations, around).map(viewFinding);
    judged.set(name, findings);
    return findings;
  });
}

function viewFinding({ packet, ...found }: SectionFinding): PlanFinding {
  return { ...found, packet: packet === undefined ? null : packetWords(packet) };
}

/**
 * Ports of this server that a node carries: it connects from the server's own machine, or has one of its addresses. A proxy on
 * another host is known to nobody here; its operator names the networks that reach it.
 */
export function controlPortsOf(server: PlansDeps["server"], { address, facts }: Node): readonly number[] {
  const own = server.addresses();
  const isHere = address !== null && isLoopback(address);
  return isHere || (facts?.addresses ?? []).some((one) => own.includes(one)) ? server.ports() : [];
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}
