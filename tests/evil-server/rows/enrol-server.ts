import { createHash, type KeyObject } from "node:crypto";
import {
  decodeBase64url,
  encodeBase64url,
  type EnrolAnswer,
  enrolAnswerFrame,
  enrolSignatures,
  readEnrolRequest,
  writeEnrolCode,
} from "@gatehouse/channel";
import { nodeIdOf, signBytes } from "@gatehouse/keys";
import { joinSigned, readSigned } from "@gatehouse/keys/frame";
import { type AnswerRequest, serverKey, serverPublicKey } from "../stolen-server.ts";

/** What whoever answers an enrolment does otherwise than an honest server. */
export interface EvilAnswer {
  readonly key?: KeyObject;
  readonly spoil?: (honest: EnrolAnswer) => EnrolAnswer;
  /** In place of any answer. */
  readonly said?: { readonly status: number; readonly body: string };
}

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const quarter = 15 * 60_000;

export function codeFor(url: string, more: { readonly server?: Uint8Array; readonly notAfter?: number } = {}): string {
  const notAfter = Date.now() + quarter;
  return writeEnrolCode(sha256, {
    url,
    server: serverPublicKey,
    secret: new Uint8Array(16).fill(3),
    notAfter,
    ...more,
  });
}

/** What an honest server says to an enrolment. */
export const honestAnswer: AnswerRequest = (body) => answerWith({}, body);

/** What whoever answers an enrolment says. */
export function answerWith({ key = serverKey, spoil = (honest) => honest, said }: EvilAnswer, body: string) {
  if (said !== undefined) return said;
  const { message } = JSON.parse(body) as { readonly message: string };
  const read = readSigned(decodeBase64url(message) ?? new Uint8Array(), enrolSignatures, readEnrolRequest);
  if (read === undefined) throw new Error("the agent has sent no enrolment");
  const nodeId = nodeIdOf(read.value.hostKey);
  const framed = enrolAnswerFrame(spoil({ request: sha256(read.framed), nodeId, at: 1, body: { name: "web 1" } }));
  const signed = encodeBase64url(joinSigned(framed, signBytes(key, framed)));
  return { status: 200, body: JSON.stringify({ message: signed }) };
}
