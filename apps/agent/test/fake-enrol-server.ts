import { createHash, createHmac, hkdfSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  decodeBase64url,
  type EnrolAnswer,
  enrolAnswerFrame,
  encodeBase64url,
  enrolMacInfo,
  type EnrolRequest,
  enrolSignatures,
  readEnrolRequest,
  writeEnrolCode,
} from "@gatehouse/channel";
import { importPrivateKey, isSignedBy, loadPublicKey, nodeIdOf, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned, splitSigned } from "@gatehouse/keys/frame";
import { onTestFinished } from "vitest";

export const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
export const serverKey = importPrivateKey(new Uint8Array(32).fill(5));
const secret = new Uint8Array(16).fill(3);

/** What a server may do otherwise than an honest one. */
export interface Dishonesty {
  readonly signWith?: KeyObject;
  readonly answer?: (honest: EnrolAnswer) => EnrolAnswer;
  /** In place of any answer. */
  readonly respond?: (response: ServerResponse, attempt: number) => boolean;
}

/** Answers enrolments as the server does, or as somebody in its place would. Counts what reaches it. */
export async function startEnrolServer(how: Dishonesty = {}) {
  const requests: EnrolRequest[] = [];
  const answers: Uint8Array[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      requests.push(check(body));
      if (how.respond?.(response, requests.length) === true) return;
      const framed = splitSigned(body, enrolSignatures)?.framed as Uint8Array;
      const nodeId = nodeIdOf((requests.at(-1) as EnrolRequest).hostKey);
      const honest: EnrolAnswer = { request: sha256(framed), nodeId, at: 1, body: { name: "web 1" } };
      const answer = enrolAnswerFrame(how.answer?.(honest) ?? honest);
      const message = joinSigned(answer, signBytes(how.signWith ?? serverKey, answer));
      answers.push(message);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: encodeBase64url(message) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const code = (more: { notAfter: number; server?: Uint8Array; url?: string }) =>
    writeEnrolCode(sha256, { url, server: publicKeyBytes(serverKey), secret, ...more });
  return { url, requests, answers, code };
}

/** As an honest server does: both possessions and the MAC. */
function check(body: Uint8Array): EnrolRequest {
  const parts = splitSigned(body, enrolSignatures);
  const request = parts && readEnrolRequest(parts.framed);
  if (parts === undefined || request === undefined) throw new Error("no enrolment");
  const key = new Uint8Array(hkdfSync("sha256", secret, publicKeyBytes(serverKey), enrolMacInfo, 32));
  const mac = createHmac("sha256", key).update(parts.framed).digest();
  const [byHost, byChannel, sentMac] = parts.signatures;
  if (!mac.equals(sentMac)) throw new Error("enrol.mac");
  if (!isSignedBy(loadPublicKey(request.hostKey, "H"), parts.framed, byHost)) throw new Error("enrol.possession");
  if (!isSignedBy(loadPublicKey(request.channelKey, "C"), parts.framed, byChannel)) throw new Error("enrol.possession");
  return request;
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { message } = JSON.parse(Buffer.concat(parts).toString("utf8")) as { message: string };
  return decodeBase64url(message) as Uint8Array;
}
