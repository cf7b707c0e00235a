import { fault } from "@gatehouse/contract";
import type { Node } from "@gatehouse/contract/routes";
import { plansLimits } from "./limits.ts";
import type { PlansDeps } from "./plans-deps.ts";

export interface WantedNodes {
  readonly nodes?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly skipOffline?: boolean | undefined;
}

export interface Targets {
  /** In the order of their ids. */
  readonly here: readonly Node[];
  /** Not connected, and left out because the author said so. */
  readonly skipped: readonly { readonly node: string; readonly name: string }[];
}

/** The nodes that a plan is for, as they are at this moment. Who is revoked is nobody's target; who is offline is named. */
export async function resolveNodes(
  deps: Pick<PlansDeps, "findNode" | "listNodes">,
  wanted: WantedNodes,
): Promise<Targets> {
  const found = new Map<string, Node>();
  for (const id of wanted.nodes ?? []) found.set(id, await getTarget(deps, id));
  for (const tag of wanted.tags ?? []) {
    for (const node of await nodesWithTag(deps, tag)) if (node.state !== "revoked") found.set(node.id, node);
  }
  const all = [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const here = all.filter(({ state }) => state === "online");
  const away = all.filter(({ state }) => state !== "online").map(({ id, name }) => ({ node: id, name }));
  if (away.length > 0 && wanted.skipOffline !== true) {
    throw fault("plan.node_offline", `not connected: ${namesOf(away)}`, {
      fields: { nodes: away.slice(0, plansLimits.namedHosts) },
    });
  }
  if (here.length === 0) throw fault("plan.no_nodes", "no node that is connected is meant by it");
  return { here, skipped: away };
}

async function getTarget(deps: Pick<PlansDeps, "findNode">, id: string): Promise<Node> {
  const node = await deps.findNode(id);
  if (node === undefined) throw fault("node.unknown", `there is no node ${id}`);
  if (node.state === "revoked") throw fault("plan.node_refused", `${node.name} was revoked`);
  return node;
}

export async function nodesWithTag(deps: Pick<PlansDeps, "listNodes">, tag: string): Promise<Node[]> {
  const all: Node[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await deps.listNodes({ tag, limit: 1_000, ...(typeof cursor === "string" && { cursor }) });
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

function namesOf(nodes: readonly { readonly name: string }[]): string {
  const shown = nodes.slice(0, plansLimits.namedHosts).map(({ name }) => name);
  return shown.join(", ") + (nodes.length > shown.length ? `, and ${nodes.length - shown.length} more` : "");
}
