import type { Node, PlanFinding } from "@gatehouse/contract/routes";
import { lintSection, packetWords, type PlanDocument, sshState, sshSubject } from "@gatehouse/plan";
import type { PlansDeps } from "./plans-deps.ts";
import type { ReadStates } from "./read-host-states.ts";

/** What the lint finds on each node, in the order of the plan's sections. */
export function lintDocument(
  deps: Pick<PlansDeps, "server">,
  { sections }: PlanDocument,
  around: { readonly told: ReadStates; readonly nodes: readonly Node[]; readonly management: readonly string[] },
): PlanFinding[][] {
  const nodes = new Map(around.nodes.map((node) => [node.id, node]));
  return sections.map(({ node: id, operations }) => {
    const node = nodes.get(id);
    const said = around.told.get(id)?.states.find(({ subject }) => subject === sshSubject);
    const ssh = sshState.safeParse(said?.state).data ?? null;
    const controlPorts = node === undefined ? [] : controlPortsOf(deps.server, node);
    return lintSection(operations, { ssh, management: around.management, controlPorts }).map(
      ({ packet, ...found }) => ({ ...found, packet: packet === undefined ? null : packetWords(packet) }),
    );
  });
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
