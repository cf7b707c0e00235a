import { fault, type HandPlace } from "@gatehouse/contract";
import { type NodeRecord, nodeKind, nodeOutboxKind, witnessedKind } from "@gatehouse/contract/records";
import type { Node, NodeState } from "@gatehouse/contract/routes";
import type { StoredRecord } from "@gatehouse/store";
import { put, type Reads, remove } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts, type SeenNodes } from "../../platform/route/index.ts";
import type { FleetDeps } from "./fleet-deps.ts";
import type { Presence } from "./presence.ts";
import { viewNode } from "./view-node.ts";

export interface NodesDeps extends Pick<FleetDeps, "store" | "decide" | "requireRights"> {
  readonly presence: Pick<Presence, "seen" | "cut">;
}

export interface NodesPage {
  readonly state?: NodeState | undefined;
  readonly tag?: string | undefined;
  readonly version?: string | undefined;
  readonly architecture?: string | undefined;
  readonly ceiling?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Read in pieces until the page is full: what is filtered away costs a read and no place. */
export async function listNodes(
  deps: Pick<NodesDeps, "store" | "presence">,
  seen: SeenNodes,
  page: NodesPage,
): Promise<{ items: Node[]; nextCursor: string | null }> {
  const items: Node[] = [];
  let after = page.cursor;
  for (;;) {
    const found = await deps.store.list(nodeKind, {
      limit: pieceItems,
      ...(after !== undefined && { after: nodeKind.key(after) }),
    });
    for (const { value } of found) {
      const view = viewNode(value, deps.presence);
      if (!seen.has(value.id) || !isWanted(view, page)) continue;
      if (items.length === page.limit) return { items, nextCursor: items.at(-1)?.id ?? null };
      items.push(view);
    }
    if (found.length < pieceItems) return { items, nextCursor: null };
    after = found.at(-1)?.value.id;
  }
}

const pieceItems = 1_000;

export async function listNodeIds(store: NodesDeps["store"]): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const found = await store.list(nodeKind, {
      limit: pieceItems,
      ...(last !== undefined && { after: nodeKind.key(last) }),
    });
    ids.push(...found.map(({ value }) => value.id));
    if (found.length < pieceItems) return ids;
  }
}

function isWanted(node: Node, { state, tag, version, architecture, ceiling }: NodesPage): boolean {
  return (
    (state === undefined || node.state === state) &&
    (tag === undefined || node.tags.includes(tag)) &&
    (version === undefined || node.facts?.agentVersion === version) &&
    (architecture === undefined || node.facts?.arch === architecture) &&
    (ceiling === undefined || node.facts?.mode === ceiling)
  );
}

export async function getNode(read: Reads, id: string): Promise<StoredRecord<NodeRecord>> {
  const found = await read.get(nodeKind.key(id));
  if (found === undefined) throw fault("node.unknown", `there is no node ${id}`);
  return found;
}

/** The node that is meant, and the version the caller has seen. */
export interface TargetNode {
  readonly id: string;
  readonly version: number;
}

export interface NodeChange {
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly notes?: string | undefined;
  /** null takes it away. */
  readonly place?: HandPlace | null | undefined;
  readonly revoked?: true | undefined;
}

/** Changes what people call a node and where they say it is, or revokes it. A revoked node's connection has ended when this resolves. */
export async function changeNode(
  deps: NodesDeps,
  principal: Principal,
  target: TargetNode,
  wanted: NodeChange,
  request: RequestFacts,
): Promise<StoredRecord<NodeRecord>> {
  const changed = await deps.decide([target.id], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now: request.now });
    const before = await readTarget(read, target);
    const { value } = before;
    const isRevoked = wanted.revoked === true && value.revokedAt === undefined;
    const labels = {
      name: wanted.name ?? value.name,
      tags: wanted.tags === undefined ? value.tags : [...new Set(wanted.tags)],
      notes: wanted.notes ?? value.notes,
    };
    const { place: placeBefore, ...rest } = value;
    const place = wanted.place === undefined ? placeBefore : (wanted.place ?? undefined);
    const after: NodeRecord = {
      ...rest,
      ...labels,
      ...(place !== undefined && { place }),
      updatedAt: request.now,
      ...(isRevoked && { revokedAt: request.now }),
    };
    const what = { actor: actorOf(principal), subject: before.key.text };
    const detail = { name: after.name, from: labelsOf(value, value), to: labelsOf(after, value) };
    const { hostname } = value;
    return {
      entry: isRevoked
        ? entryOf(request, { ...what, action: "node.revoked", detail: { name: after.name, hostname } })
        : entryOf(request, { ...what, action: "node.changed", detail }),
      changes: [put(before, after)],
      result: ({ version }) => ({ key: before.key, version, value: after }),
    };
  });
  if (changed.value.revokedAt !== undefined) deps.presence.cut(target.id, "hello.revoked");
  return changed;
}

export async function removeNode(
  deps: NodesDeps,
  principal: Principal,
  target: TargetNode,
  request: RequestFacts,
): Promise<undefined> {
  await deps.decide([target.id], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now: request.now });
    const before = await readTarget(read, target);
    const { name, hostname } = before.value;
    const cursor = await read.get(nodeOutboxKind.key(target.id));
    const witnessed = await read.get(witnessedKind.key(target.id));
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "node.removed",
        subject: before.key.text,
        detail: { name, hostname },
      }),
      changes: [
        remove(before),
        ...(cursor === undefined ? [] : [remove(cursor)]),
        ...(witnessed === undefined ? [] : [remove(witnessed)]),
      ],
      result: () => undefined,
    };
  });
  deps.presence.cut(target.id, "hello.revoked");
  return undefined;
}

async function readTarget(read: Reads, { id, version }: TargetNode): Promise<StoredRecord<NodeRecord>> {
  const found = await getNode(read, id);
  if (found.version !== version) throw fault("request.stale", `the node ${id} has changed since it was read`);
  return found;
}

function labelsOf({ name, tags, notes, place }: NodeRecord, before: NodeRecord) {
  return { name, tags, notes: notes !== before.notes, place: place ?? null };
}
