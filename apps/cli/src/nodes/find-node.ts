import { UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { type Node, nodeRoute, nodesRoute } from "@gatehouse/contract/routes";
import type { Connection } from "../server/connection.ts";
import { listAll } from "../server/list-all.ts";
import { unexpected } from "../server/send-request.ts";

export interface FoundNode {
  readonly node: Node;
  /** What a change has to send as If-Match. */
  readonly etag: string;
}

export const nodeArgument = {
  value: "NODE",
  about: "The node's id, its last digits (four or more), or its name, as gatehouse node list shows them.",
} as const;

export const mostNodes = 100_000;
/** As many as fit into one answer if every host says of itself as much as it may. */
export const nodesPage = 250;

/** Reads a node as a person named it, with the version that a change must still find. */
export async function getNamedNode(connection: Connection, named: string): Promise<FoundNode> {
  const [id = named] = await getNodeIds(connection, [named]);
  const { data, headers } = await connection.call(nodeRoute, { params: { id } });
  const etag = headers.get("etag");
  if (etag === null) throw unexpected(connection.server, "it sent a node without an ETag");
  return { node: data, etag };
}

/** The ids of nodes as a person named them, each once. Whole ids are taken as they are: nothing is asked for them. */
export async function getNodeIds(connection: Pick<Connection, "call">, named: readonly string[]): Promise<string[]> {
  if (named.every((name) => idForm.test(name))) return [...new Set(named)];
  const half = named.find((name) => name.startsWith("node_") && !idForm.test(name));
  if (half !== undefined) throw new UsageError(`${JSON.stringify(half)} is not a whole id of a node`);
  const { items } = await listAll(connection, nodesRoute, { most: mostNodes, pageSize: nodesPage });
  return [...new Set(named.map((name) => (idForm.test(name) ? name : pickNode(items, name).id)))];
}

const idForm = /^node_[0-9a-hjkmnp-tv-z]{26}$/;
const suffixForm = /^[0-9a-hjkmnp-tv-z]{4,25}$/;

type Named = Pick<Node, "id" | "name">;

/** A host chooses its own name: one that is called like the digits of another is never taken for it, nor the other for it. */
export function pickNode<Item extends Named>(nodes: readonly Item[], named: string): Item {
  const isSuffix = suffixForm.test(named);
  const fitting = nodes.filter(({ id, name }) => name === named || (isSuffix && id.endsWith(named)));
  const [first, second] = fitting;
  if (first === undefined) throw fault("node.unknown", `no node has the name or the last digits ${quoted(named)}`);
  if (second === undefined) return first;
  const ids = fitting.slice(0, shownIds).map(({ id }) => id);
  const rest = fitting.length > shownIds ? ` and ${fitting.length - shownIds} more` : "";
  throw fault("cli.node_ambiguous", `${quoted(named)} fits ${ids.join(", ")}${rest}`);
}

const shownIds = 4;

function quoted(text: string): string {
  return JSON.stringify(text);
}
