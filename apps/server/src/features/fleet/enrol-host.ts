import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import {
  decodeBase64url,
  encodeBase64url,
  enrolAnswerFrame,
  type EnrolRequest,
  enrolSignatures,
  protocolVersions,
  readEnrolRequest,
} from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { type EnrolmentRecord, enrolmentKind, type NodeRecord, nodeKind } from "@gatehouse/contract/records";
import { isSignedBy, loadPublicKey, nodeIdOf } from "@gatehouse/keys";
import { isSameBytes, joinSigned, readSigned } from "@gatehouse/keys/frame";
import { create, put } from "@gatehouse/store/decide";
import { entryOf, type RequestFacts } from "../../platform/route/index.ts";
import { openMacKey, stateOf } from "./enrolments.ts";
import type { FleetDeps } from "./fleet-deps.ts";

export interface EnrolHostDeps extends Pick<FleetDeps, "store" | "decide" | "secrets" | "identity"> {
  /** Ends a connection that was opened with a key which no longer counts. */
  readonly cut: (nodeId: string) => void;
}

/** What a host sent, taken apart and not yet believed. */
interface Presented extends EnrolRequest {
  readonly framed: Uint8Array;
  readonly hostSignature: Uint8Array;
  readonly channelSignature: Uint8Array;
  readonly mac: Uint8Array;
}

/**
 * Enrols a host with its code. The commit expects the code's record as it was read, so that however many come at once, one
 * of them is enrolled. The same host with the same keys is answered again: its first answer may have been lost.
 */
export async function enrolHost(deps: EnrolHostDeps, message: string, request: RequestFacts): Promise<string> {
  const identity = await deps.identity();
  const presented = readPresented(message);
  if (!isSameBytes(presented.server, identity.publicKey)) {
    throw fault("enrol.server_key", "the enrolment is meant for a server with another key");
  }
  const codeId = Buffer.from(presented.codeId).toString("hex");
  const nodeId = nodeIdOf(presented.hostKey);
  const node = await deps.decide([codeId, nodeId], async (read) => {
    const code = await read.get(enrolmentKind.key(codeId));
    if (code === undefined) throw fault("enrol.code_unknown", "no such code is known here");
    judgeCode(code.value, presented, request.now);
    judgeProof(openMacKey(deps, code), presented);
    const before = await read.get(nodeKind.key(nodeId));
    const { spent } = code.value;
    if (spent !== undefined && before !== undefined) return { result: () => before.value };
    if (spent !== undefined) throw fault("hello.revoked", "the node was removed after it was enrolled with this code");
    const after = enrolled({ presented, nodeId, code: code.value, before: before?.value, now: request.now });
    return {
      entry: entryOf(request, {
        actor: `node:${nodeId}`,
        action: "node.enrolled",
        subject: nodeKind.key(nodeId).text,
        detail: { name: after.name, hostname: after.hostname, enrolment: codeId, again: before !== undefined },
      }),
      changes: [
        put(code, { ...code.value, spent: spentBy(presented, nodeId, request) }),
        before === undefined ? create(nodeKind.key(nodeId), after) : put(before, after),
      ],
      result: () => {
        deps.cut(nodeId);
        return after;
      },
    };
  });
  const answer = enrolAnswerFrame({
    request: createHash("sha256").update(presented.framed).digest(),
    nodeId,
    at: request.now,
    body: { name: node.name, tags: [...node.tags] },
  });
  return encodeBase64url(joinSigned(answer, identity.sign(answer)));
}

function readPresented(message: string): Presented {
  const signed = readSigned(decodeBase64url(message), enrolSignatures, readEnrolRequest);
  if (signed === undefined) throw fault("enrol.malformed", "the message is not built as an enrolment is");
  const { value: read, framed } = signed;
  const { min, max } = protocolVersions;
  if (read.version < min || read.version > max) {
    throw fault("enrol.malformed", `expected a version from ${min} to ${max}, found ${read.version}`);
  }
  const [hostSignature, channelSignature, mac] = signed.signatures;
  return { ...read, framed, hostSignature, channelSignature, mac };
}

function judgeCode(code: EnrolmentRecord, presented: Presented, now: number): void {
  if (code.notAfter <= now) throw fault("enrol.code_expired", `it ended at ${new Date(code.notAfter).toISOString()}`);
  const state = stateOf(code, now);
  if (state === "revoked") throw fault("enrol.code_unknown", "the code was revoked");
  const { spent } = code;
  if (spent === undefined) return;
  const isSame =
    spent.hostKey === encodeBase64url(presented.hostKey) && spent.channelKey === encodeBase64url(presented.channelKey);
  if (!isSame) throw fault("enrol.code_used", `it enrolled ${spent.nodeId}, which has other keys`);
}

/** That whoever sent it had the code, and has both keys. */
function judgeProof(macKey: Buffer, presented: Presented): void {
  const { framed, mac, hostKey, channelKey } = presented;
  if (!timingSafeEqual(createHmac("sha256", macKey).update(framed).digest(), mac)) {
    throw fault("enrol.mac", "the message was not made with the secret of its code");
  }
  const [host, channel] = [loadPublicKey(hostKey, "the host key"), loadPublicKey(channelKey, "the channel key")];
  if (isSameBytes(hostKey, channelKey)) throw fault("enrol.same_key", "expected two keys, found one twice");
  if (!isSignedBy(host, framed, presented.hostSignature)) {
    throw fault("enrol.possession", "the host key did not sign the message");
  }
  if (!isSignedBy(channel, framed, presented.channelSignature)) {
    throw fault("enrol.possession", "the channel key did not sign the message");
  }
}

interface Enrolling {
  readonly presented: Presented;
  readonly nodeId: string;
  readonly code: EnrolmentRecord;
  readonly before: NodeRecord | undefined;
  readonly now: number;
}

/** A host that comes again keeps what people said of it; its channel key is the new one, and it is no longer revoked. */
function enrolled({ presented, nodeId, code, before, now }: Enrolling): NodeRecord {
  const { hostname } = presented.body;
  return {
    id: nodeId,
    notes: before?.notes ?? "",
    hostKey: encodeBase64url(presented.hostKey),
    name: code.name ?? before?.name ?? hostname.slice(0, 64),
    ...(before?.facts !== undefined && { facts: before.facts }),
    tags: [...new Set([...(before?.tags ?? []), ...code.tags])].slice(0, 16),
    channelKey: encodeBase64url(presented.channelKey),
    channelKeyAt: now,
    hostname,
    enrolledAt: now,
    enrolledBy: code.createdBy,
    enrolment: code.id,
    updatedAt: now,
  };
}

function spentBy({ hostKey, channelKey }: Presented, nodeId: string, { now, clientAddress }: RequestFacts) {
  return {
    at: now,
    nodeId,
    hostKey: encodeBase64url(hostKey),
    channelKey: encodeBase64url(channelKey),
    address: clientAddress,
  };
}
