import { createHash } from "node:crypto";
import { ceilingFrame, decodeBase64url, type FrameOf, readFacts } from "@gatehouse/channel";
import { readByteForm } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { type NodeRecord, nodeKind } from "@gatehouse/contract/records";
import { isSignedBy, loadKeptKey, signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { type Decide, put } from "@gatehouse/store/decide";
import { entryOf, type RequestFacts } from "../../platform/route/index.ts";

type Facts = NonNullable<NodeRecord["facts"]>;

/** Keeps what a host says of itself when it differs from what is known. Whatever the frame says, it concerns this node alone. */
export async function takeFacts(
  deps: { readonly decide: Decide },
  nodeId: string,
  sent: FrameOf<"facts">,
  request: RequestFacts,
): Promise<void> {
  await deps.decide([nodeId], async (read) => {
    const node = await read.get(nodeKind.key(nodeId));
    if (node === undefined || node.value.revokedAt !== undefined) throw fault("hello.revoked", "the node is gone");
    const facts = judgeFacts(node.value, sent, request.now);
    const before = node.value.facts;
    if (before !== undefined && facts.number <= before.number) return { result: () => undefined };
    const changed = changedFields(before, facts);
    if (changed.length === 0) return { result: () => undefined };
    return {
      entry: entryOf(request, {
        actor: `node:${nodeId}`,
        action: "node.facts_changed",
        subject: node.key.text,
        detail: { name: node.value.name, changed, ceilingDigest: facts.ceilingDigest },
      }),
      changes: [put(node, { ...node.value, facts, hostname: facts.hostname })],
      result: () => undefined,
    };
  });
}

function judgeFacts(node: NodeRecord, sent: FrameOf<"facts">, now: number): Facts {
  const message = readSigned(decodeBase64url(sent.signed), [signatureLength], readFacts);
  if (message === undefined) throw fault("frame.malformed", "the signed facts are not built as facts are");
  const { value: read, framed, signatures } = message;
  const key = loadKeptKey(decodeBase64url(node.hostKey) as Uint8Array, "the host key");
  const isOwn = read.nodeId === node.id && Buffer.from(read.hostKey).toString("base64url") === node.hostKey;
  if (!isOwn || !isSignedBy(key, framed, signatures[0])) {
    throw fault("frame.malformed", "the facts are not signed by this node's host key");
  }
  const ceiling = decodeBase64url(sent.ceiling);
  const written = ceiling && readByteForm(ceiling);
  if (ceiling === undefined || written === undefined) throw fault("frame.malformed", "the ceiling has no byte form");
  const ceilingDigest = Buffer.from(read.ceilingDigest).toString("hex");
  const found = createHash("sha256").update(ceilingFrame(written)).digest("hex");
  if (found !== ceilingDigest) throw fault("frame.malformed", "the ceiling is not the one whose digest is signed");
  return {
    number: read.number,
    at: read.at,
    receivedAt: now,
    ...read.facts,
    ceilingDigest,
    ceiling: Buffer.from(ceiling).toString(),
    trustDigest: Buffer.from(read.trustDigest).toString("hex"),
    addresses: sent.addresses,
    units: sent.units,
  };
}

/** What is news. Numbers and times always differ, and say nothing. */
function changedFields(before: Facts | undefined, after: Facts): string[] {
  const { number: _, at: __, receivedAt: ___, ...fields } = after;
  const old: Readonly<Record<string, unknown>> = before ?? {};
  return Object.entries(fields).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(old[name]) ? [] : [name],
  );
}
