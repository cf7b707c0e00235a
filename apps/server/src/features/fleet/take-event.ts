import { type FrameOf, hostEvent } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { nodeKind, nodeOutboxKind } from "@gatehouse/contract/records";
import { create, type Decide, put } from "@gatehouse/store/decide";
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
  if (sent.kind !== "event") throw fault("frame.unknown", `this server does not take ${sent.kind} yet`);
  const event = hostEvent.safeParse(sent.body).data;
  if (event === undefined) throw fault("frame.malformed", "the body is none of an event");
  await deps.decide([nodeId], async (read) => {
    const node = await read.get(nodeKind.key(nodeId));
    if (node === undefined || node.value.revokedAt !== undefined) throw fault("hello.revoked", "the node is gone");
    const cursor = await read.get(nodeOutboxKind.key(nodeId));
    const next = { acked: sent.seq };
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
      changes: [cursor === undefined ? create(nodeOutboxKind.key(nodeId), next) : put(cursor, next)],
      result: () => undefined,
    };
  });
}
