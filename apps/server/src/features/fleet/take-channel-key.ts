import { decodeBase64url, encodeBase64url, readChannelKey } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { type NodeRecord, nodeKind } from "@gatehouse/contract/records";
import { isSignedBy, loadPublicKey, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { type Decide, put } from "@gatehouse/store/decide";
import { entryOf, type RequestFacts } from "../../platform/route/index.ts";
import { fleetLimits } from "./limits.ts";

/** A new channel key in the name of the host key. The old one counts until the new one has been used. */
export async function takeChannelKey(
  deps: { readonly decide: Decide },
  nodeId: string,
  signed: string,
  request: RequestFacts,
): Promise<void> {
  await deps.decide([nodeId], async (read) => {
    const node = await read.get(nodeKind.key(nodeId));
    if (node === undefined || node.value.revokedAt !== undefined) throw fault("hello.revoked", "the node is gone");
    const { channelKey, at } = judgeChange(node.value, signed, request.now);
    if (channelKey === node.value.channelKey) return { result: () => undefined };
    return {
      entry: entryOf(request, {
        actor: `node:${nodeId}`,
        action: "node.channel_key_changed",
        subject: node.key.text,
        detail: { name: node.value.name, channelKey },
      }),
      changes: [put(node, { ...node.value, channelKey, formerChannelKey: node.value.channelKey, channelKeyAt: at })],
      result: () => undefined,
    };
  });
}

/** The new key was used: the old one is let go. */
export async function dropFormerKey(
  deps: { readonly decide: Decide },
  nodeId: string,
  request: RequestFacts,
): Promise<void> {
  await deps.decide([nodeId], async (read) => {
    const node = await read.get(nodeKind.key(nodeId));
    if (node?.value.formerChannelKey === undefined) return { result: () => undefined };
    const { formerChannelKey: _, ...rest } = node.value;
    return {
      entry: entryOf(request, {
        actor: `node:${nodeId}`,
        action: "node.channel_key_changed",
        subject: node.key.text,
        detail: { name: node.value.name, channelKey: node.value.channelKey },
      }),
      changes: [put(node, rest)],
      result: () => undefined,
    };
  });
}

function judgeChange(node: NodeRecord, signed: string, now: number): { channelKey: string; at: number } {
  const message = readSigned(decodeBase64url(signed), [signatureLength], readChannelKey);
  if (message === undefined)
    throw fault("frame.malformed", "the message is not built as a change of the channel key is");
  const { value: read, framed, signatures } = message;
  const key = loadPublicKey(decodeBase64url(node.hostKey) as Uint8Array, "the host key");
  const isOwn = read.nodeId === node.id && encodeBase64url(read.hostKey) === node.hostKey;
  if (!isOwn || !isSignedBy(key, framed, signatures[0])) {
    throw fault("frame.malformed", "the change of the channel key is not signed by this node's host key");
  }
  loadPublicKey(read.channelKey, "the new channel key");
  const channelKey = encodeBase64url(read.channelKey);
  if (channelKey === node.hostKey) throw fault("enrol.same_key", "expected two keys, found one twice");
  // A change that was signed before the newest one is a replay.
  const isRepeat = channelKey === node.channelKey;
  if (!isRepeat && (read.at <= node.channelKeyAt || read.at > now + fleetLimits.keyChangeAheadMs)) {
    throw fault("frame.malformed", "the change of the channel key is older than the newest one, or from the future");
  }
  return { channelKey, at: read.at };
}
