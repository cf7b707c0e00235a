import { type FrameOf, hostEvent } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { nodeKind, nodeOutboxKind, type NodeRecord } from "@gatehouse/contract/records";
import type { Change, StoredRecord } from "@gatehouse/store";
import { create, type Decide, put, type Reads } from "@gatehouse/store/decide";
import { entryOf, type RequestFacts } from "../../platform/route/index.ts";

/**
 * Keeps what a host tells of itself. When this resolves it is durable, and the host may forget it. The cursor is in the same commit:
 * a message that comes again, because its acknowledgement was lost, changes nothing.
 */
export async function takeEvent(
  deps: { readonly decide: Decide },
  nodeId: string,
  sent: FrameOf<"out">,
  request: RequestFacts,
): Promise<void> {
  if (sent.kind !== "event") throw fault("frame.unknown", `this server takes no ${sent.kind}`);
  const event = hostEvent.safeParse(sent.body).data;
  if (event === undefined) throw fault("frame.malformed", "the body is none of an event");
  await deps.decide([nodeId], async (read) => {
    const { node, cursor } = await moveCursor(read, nodeId, sent.seq);
    return {
      entry: entryOf(request, {
        actor: `node:${nodeId}`,
        action: "node.event",
        subject: node.key.text,
        detail: {
          name: node.value.name,
          what: event.what,
          hostTime: event.at,
          seq: sent.seq,
          ...(event.detail !== undefined && { detail: event.detail }),
        },
      }),
      changes: [cursor],
      result: () => undefined,
    };
  });
}

/** Says up to where a node's messages are kept; stands in the commit that keeps the last of them. */
export async function moveCursor(
  read: Reads,
  nodeId: string,
  acked: number,
): Promise<{ readonly node: StoredRecord<NodeRecord>; readonly cursor: Change }> {
  const node = await read.get(nodeKind.key(nodeId));
  if (node === undefined || node.value.revokedAt !== undefined) throw fault("hello.revoked", "the node is gone");
  const key = nodeOutboxKind.key(nodeId);
  const before = await read.get(key);
  return { node, cursor: before === undefined ? create(key, { acked }) : put(before, { acked }) };
}
