import { decodeBase64url, type DriftPart, type FrameOf, readDrift, type SignedDrift } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { type NodeDriftRecord, nodeDriftKind, type NodeRecord, nodeKind } from "@gatehouse/contract/records";
import { isSignedBy, loadKeptKey, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { create, type Decide, put } from "@gatehouse/store/decide";
import { entryOf, type RequestFacts } from "../../platform/route/index.ts";
import type { DriftBook } from "./drift-book.ts";
import { fleetLimits } from "./limits.ts";

type Item = NodeDriftRecord["items"][number];

/** Keeps what a host finds when it hashes again what was confirmed there, when that is another set than was known. */
export async function takeDrift(
  deps: { readonly decide: Decide; readonly drifts: DriftBook },
  nodeId: string,
  sent: FrameOf<"drift">,
  request: RequestFacts,
): Promise<void> {
  const { now } = request;
  await deps.decide([nodeId], async (read) => {
    const node = await read.get(nodeKind.key(nodeId));
    if (node === undefined || node.value.revokedAt !== undefined) throw fault("hello.revoked", "the node is gone");
    const { number, at, drift } = judgeDrift(node.value, sent.signed);
    const key = nodeDriftKind.key(nodeId);
    const before = await read.get(key);
    const newest = Math.max(before?.value.number ?? 0, deps.drifts.find(nodeId)?.number ?? 0);
    // One that is played again, or came late, says what was so once.
    if (number <= newest) return { result: () => undefined };
    const { watched, more } = drift;
    const note = () => deps.drifts.heard(nodeId, { number, receivedAt: now, watched });
    const known = before?.value.items ?? [];
    const items = drift.parts.map((part) => itemOf(part, known, now));
    const changed = items.filter((item) => !known.some((other) => isSame(item, other)));
    const ended = known.filter(({ subject }) => !items.some((item) => item.subject === subject));
    if (changed.length === 0 && ended.length === 0 && more === (before?.value.more ?? 0)) return { result: note };
    // Each is a commit: one that says now this and now that must not fill the log.
    if (!deps.drifts.mayChange(nodeId)) return { result: () => undefined };
    const record = { number, at, receivedAt: now, watched, more, items };
    return {
      entry: entryOf(request, {
        actor: `node:${nodeId}`,
        subject: node.key.text,
        ...wordsOfChange(node.value.name, { items, changed, ended }),
      }),
      changes: [before === undefined ? create(key, record) : put(before, record)],
      result: note,
    };
  });
}

function judgeDrift(node: NodeRecord, signed: string): SignedDrift {
  const message = readSigned(decodeBase64url(signed), [signatureLength], readDrift);
  if (message === undefined) throw fault("frame.malformed", "the signed drift is not built as one");
  const { value, framed, signatures } = message;
  const key = loadKeptKey(decodeBase64url(node.hostKey) as Uint8Array, "the host key");
  const isOwn = value.nodeId === node.id && Buffer.from(value.hostKey).toString("base64url") === node.hostKey;
  if (isOwn && isSignedBy(key, framed, signatures[0])) return value;
  throw fault("frame.malformed", "the drift is not signed by this node's host key");
}

/** A part that was known of keeps the time since when: it has not been as confirmed in between. */
function itemOf(part: DriftPart, known: readonly Item[], now: number): Item {
  const before = known.find(({ subject, task }) => subject === part.subject && task === part.task);
  return { ...part, since: before?.since ?? now };
}

/** Why it cannot be read may be said in other words each time. */
function isSame(one: Item, other: Item): boolean {
  const fields = ["subject", "state", "task", "plan", "expected", "found"] as const;
  return fields.every((field) => one[field] === other[field]);
}

function wordsOfChange(
  name: string,
  {
    items,
    changed,
    ended,
  }: { readonly items: readonly Item[]; readonly changed: readonly Item[]; readonly ended: readonly Item[] },
) {
  const named = (parts: readonly Item[]) => parts.slice(0, fleetLimits.namedParts).map(({ subject }) => subject);
  if (changed.length === 0 && ended.length > 0) {
    return { action: "node.drift_ended", detail: { name, parts: named(ended), left: items.length } } as const;
  }
  const unread = items.filter(({ state }) => state === "unread").length;
  const detail = { name, parts: named(changed), differ: items.length - unread, unread };
  return { action: "node.drifted", detail } as const;
}
