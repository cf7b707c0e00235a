import { byteForm, readByteForm } from "@gatehouse/base";
import { nodeName, nodeTags } from "@gatehouse/contract";
import { encodeText, frame, readFrame, readNumber, readText, u16, u64 } from "@gatehouse/keys/frame";
import * as z from "zod";
import { agentVersion, reportedHostName } from "./fields.ts";

/** Bytes of the signatures behind an enrolment: the host key's, the channel key's, and the MAC under the code's secret. */
export const enrolSignatures = [64, 64, 32] as const;

const requestDomain = "gatehouse-enrol-agent-v1";
const answerDomain = "gatehouse-enrol-server-v1";

/** What a host tells of itself when it enrols. Facts that matter come signed, after the hello. */
export const enrolRequestBody = z.strictObject({ agentVersion, hostname: reportedHostName });
export type EnrolRequestBody = z.output<typeof enrolRequestBody>;

/** What the server may say. Closed: nothing in it sets a ceiling, an approver or a key. */
export const enrolAnswerBody = z.strictObject({ name: nodeName.optional(), tags: nodeTags.optional() });
export type EnrolAnswerBody = z.output<typeof enrolAnswerBody>;

export interface EnrolRequest {
  readonly version: number;
  readonly server: Uint8Array;
  readonly codeId: Uint8Array;
  readonly nonce: Uint8Array;
  readonly hostKey: Uint8Array;
  readonly channelKey: Uint8Array;
  readonly body: EnrolRequestBody;
}

export function enrolRequestFrame(request: EnrolRequest): Uint8Array {
  const { version, server, codeId, nonce, hostKey, channelKey, body } = request;
  return frame(requestDomain, u16(version), server, codeId, nonce, hostKey, channelKey, byteForm(body));
}

export function readEnrolRequest(framed: Uint8Array): EnrolRequest | undefined {
  const fields = readFrame(framed, requestDomain, [2, 32, 16, 32, 32, 32, "any"]);
  if (fields === undefined) return undefined;
  const body = enrolRequestBody.safeParse(readByteForm(fields[6]));
  if (!body.success) return undefined;
  const [version, server, codeId, nonce, hostKey, channelKey] = fields;
  return { version: readNumber(version) as number, server, codeId, nonce, hostKey, channelKey, body: body.data };
}

export interface EnrolAnswer {
  /** SHA-256 of the request's frame: an answer to another request fits no request. */
  readonly request: Uint8Array;
  readonly nodeId: string;
  readonly at: number;
  readonly body: EnrolAnswerBody;
}

export function enrolAnswerFrame({ request, nodeId, at, body }: EnrolAnswer): Uint8Array {
  return frame(answerDomain, request, encodeText(nodeId), u64(at), byteForm(body));
}

export function readEnrolAnswer(framed: Uint8Array): EnrolAnswer | undefined {
  const fields = readFrame(framed, answerDomain, [32, "any", 8, "any"]);
  if (fields === undefined) return undefined;
  const nodeId = readText(fields[1]);
  const at = readNumber(fields[2]);
  const body = enrolAnswerBody.safeParse(readByteForm(fields[3]));
  if (nodeId === undefined || at === undefined || !body.success) return undefined;
  return { request: fields[0], nodeId, at, body: body.data };
}
