import { createHash, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
import { setEnrolMarker } from "../../../apps/agent/src/local/enrol-marker.ts";
import { nextPlace } from "../../../apps/agent/src/local/next-place.ts";
import { putPinnedServer } from "../../../apps/agent/src/local/server-file.ts";
import type { AttackedHost } from "../attacked-host.ts";
import { serverKey, serverPublicKey } from "../stolen-server.ts";
import type { Found } from "./found.ts";
import type { RowGround } from "./row.ts";

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

/** Root has begun to enrol the host with that server; what it has so far stays where it is. */
export async function beginWith({ paths }: AttackedHost, url: string): Promise<void> {
  const place = { paths, owner: process.getuid?.() ?? 0 };
  await putPinnedServer(nextPlace(place), { url, key: serverPublicKey });
  await setEnrolMarker(place, Date.now());
}

/** Root spends a code, and somebody answers. */
export async function spendCode({ command }: RowGround, evil: EvilAnswer): Promise<Found> {
  const http = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { message } = JSON.parse(Buffer.concat(parts).toString("utf8")) as { readonly message: string };
      const { status, body } = evil.said ?? { status: 200, body: answerTo(decodeBase64url(message), evil) };
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  try {
    const before = (host: AttackedHost) => beginWith(host, url);
    return await command({ before }, ["enrol-exchange", "--json"], `${codeFor(url)}\n`);
  } finally {
    http.closeAllConnections();
    http.close();
  }
}

function answerTo(
  message: Uint8Array | undefined,
  { key = serverKey, spoil = (honest) => honest }: EvilAnswer,
): string {
  const read = readSigned(message ?? new Uint8Array(), enrolSignatures, readEnrolRequest);
  if (read === undefined) throw new Error("the agent has sent no enrolment");
  const nodeId = nodeIdOf(read.value.hostKey);
  const framed = enrolAnswerFrame(spoil({ request: sha256(read.framed), nodeId, at: 1, body: { name: "web 1" } }));
  return JSON.stringify({ message: encodeBase64url(joinSigned(framed, signBytes(key, framed))) });
}
