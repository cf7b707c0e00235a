import { UsageError } from "@gatehouse/command-line";
import type { AlertNodes } from "@gatehouse/contract";
import { getNodeIds } from "../nodes/find-node.ts";
import type { Connection } from "../server/connection.ts";

/** Which nodes a rule or a silence is about. */
export const nodesFlags = {
  all: { about: "All nodes." },
  tag: { value: "TAG", about: "Nodes with this tag; several with commas or by repeating the option.", list: true },
  node: { value: "NODE", about: "This node, by id, digits or name; several as with --tag.", list: true },
} as const;

export interface GivenNodes {
  readonly all?: true;
  readonly tag?: readonly string[];
  readonly node?: readonly string[];
}

/** Undefined where nothing is written. */
export async function readAlertNodes(
  connection: Pick<Connection, "call">,
  { all, tag, node }: GivenNodes,
  topic: string,
): Promise<AlertNodes | undefined> {
  if ([all, tag, node].filter((one) => one !== undefined).length > 1) {
    throw new UsageError("write one of --all, --tag and --node", topic);
  }
  if (tag !== undefined) return { tags: [...new Set(tag)] };
  if (node !== undefined) return { nodes: await getNodeIds(connection, node) };
  return all === true ? { all: true } : undefined;
}

export function sayNodes(appliesTo: AlertNodes): string {
  if ("all" in appliesTo) return "all nodes";
  if ("tags" in appliesTo) return `tags ${appliesTo.tags.join(" ")}`;
  return appliesTo.nodes.length === 1 ? (appliesTo.nodes[0] ?? "") : `${appliesTo.nodes.length} nodes`;
}
