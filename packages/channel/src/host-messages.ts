import { byteForm, readByteForm } from "@gatehouse/base";
import { agentArchitectures, ceilingLevels, sha256Hex } from "@gatehouse/contract";
import { encodeText, frame, readFrame, readNumber, readText, u64 } from "@gatehouse/keys/frame";
import * as z from "zod";
import { agentVersion, reportedHostName } from "./fields.ts";
import { channelLimits } from "./limits.ts";

/** Messages that a host signs with its host key: they can be checked with the node's id alone, whoever passes them on. */

const said = z.string().max(128);

/** What the helper says about its host. */
export const hostFacts = z.strictObject({
  agentSha256: sha256Hex,
  agentVersion,
  arch: z.enum(agentArchitectures),
  hostname: reportedHostName,
  kernel: said,
  mode: z.enum(ceilingLevels),
  os: said,
});
export type HostFacts = z.output<typeof hostFacts>;

export interface SignedFacts {
  readonly nodeId: string;
  readonly hostKey: Uint8Array;
  /** Grows with every message of one host: an older one is not taken for news. */
  readonly number: number;
  readonly at: number;
  readonly ceilingDigest: Uint8Array;
  /** Empty while the host has no trust file. */
  readonly trustDigest: Uint8Array;
  readonly facts: HostFacts;
}

const factsDomain = "gatehouse-facts-v1";

export function factsFrame({
  nodeId,
  hostKey,
  number,
  at,
  ceilingDigest,
  trustDigest,
  facts,
}: SignedFacts): Uint8Array {
  return frame(
    factsDomain,
    encodeText(nodeId),
    hostKey,
    u64(number),
    u64(at),
    ceilingDigest,
    trustDigest,
    byteForm(facts),
  );
}

export function readFacts(framed: Uint8Array): SignedFacts | undefined {
  const fields = readFrame(framed, factsDomain, ["any", 32, 8, 8, 32, [0, 32], "any"]);
  if (fields === undefined) return undefined;
  const nodeId = readText(fields[0]);
  const [number, at] = [fields[2], fields[3]].map(readNumber);
  const facts = hostFacts.safeParse(readByteForm(fields[6]));
  if (nodeId === undefined || number === undefined || at === undefined || !facts.success) return undefined;
  const [, hostKey, , , ceilingDigest, trustDigest] = fields;
  return { nodeId, hostKey, number, at, ceilingDigest, trustDigest, facts: facts.data };
}

/** A new channel key in the name of the host. It counts from the next hello on. */
export interface ChannelKeyChange {
  readonly nodeId: string;
  readonly hostKey: Uint8Array;
  readonly channelKey: Uint8Array;
  readonly at: number;
}

const channelKeyDomain = "gatehouse-channel-key-v1";

export function channelKeyFrame({ nodeId, hostKey, channelKey, at }: ChannelKeyChange): Uint8Array {
  return frame(channelKeyDomain, encodeText(nodeId), hostKey, channelKey, u64(at));
}

export function readChannelKey(framed: Uint8Array): ChannelKeyChange | undefined {
  const fields = readFrame(framed, channelKeyDomain, ["any", 32, 32, 8]);
  if (fields === undefined) return undefined;
  const nodeId = readText(fields[0]);
  const at = readNumber(fields[3]);
  if (nodeId === undefined || at === undefined) return undefined;
  return { nodeId, hostKey: fields[1], channelKey: fields[2], at };
}

/** What names a ceiling: the digest of this frame is in every message of facts. */
export function ceilingFrame(ceiling: unknown): Uint8Array {
  return frame("gatehouse-ceiling-v1", byteForm(ceiling));
}

/** What the helper says of parts of its host, in answer to one question. */
export interface StateAnswer {
  readonly nodeId: string;
  readonly hostKey: Uint8Array;
  /** 32 bytes of whoever asked. */
  readonly request: Uint8Array;
  /** By the host's own clock. */
  readonly at: number;
  readonly states: readonly SubjectState[];
}

const subjectState = z.strictObject({
  /** Null when the host has no such part. */
  state: z.record(z.string(), z.json()).nullable(),
  subject: z.string().max(600),
});
export type SubjectState = z.output<typeof subjectState>;

/** A firewall of a thousand rules has many small objects. */
const stateJson = { depth: 32, keys: 200_000, items: 200_000 };

const stateAnswerDomain = "gatehouse-state-answer-v1";

export function stateAnswerFrame({ nodeId, hostKey, request, at, states }: StateAnswer): Uint8Array {
  return frame(stateAnswerDomain, encodeText(nodeId), hostKey, request, u64(at), byteForm(states));
}

export function readStateAnswer(framed: Uint8Array): StateAnswer | undefined {
  const fields = readFrame(framed, stateAnswerDomain, ["any", 32, 32, 8, "any"]);
  if (fields === undefined) return undefined;
  const nodeId = readText(fields[0]);
  const at = readNumber(fields[3]);
  const states = z.array(subjectState).max(channelLimits.stateSubjects).safeParse(readByteForm(fields[4], stateJson));
  if (nodeId === undefined || at === undefined || !states.success) return undefined;
  return { nodeId, hostKey: fields[1], request: fields[2], at, states: states.data };
}
