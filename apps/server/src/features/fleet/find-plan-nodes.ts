import type { PlanNode } from "@gatehouse/contract/broker";
import { nodeKind } from "@gatehouse/contract/records";
import type { FleetDeps } from "./fleet-deps.ts";

/** What plans are told of these nodes before their hosts are asked anything, as far as there are such nodes. */
export async function findPlanNodes(
  { store }: Pick<FleetDeps, "store">,
  ids: readonly string[],
): Promise<readonly Omit<PlanNode, "states">[]> {
  const found = await Promise.all(ids.map((id) => store.get(nodeKind.key(id))));
  return found.flatMap((record) => {
    if (record === undefined) return [];
    const { id, name, tags, facts } = record.value;
    return [{ id, name, tags: [...tags], addresses: [...(facts?.addresses ?? [])] }];
  });
}
