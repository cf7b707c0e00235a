import { createHash, createHmac, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import {
  decodeBase64url,
  encodeBase64url,
  enrolCodeId,
  enrolMacInfo,
  enrolPath,
  enrolRequestFrame,
  parseEnrolCode,
  protocolVersions,
  readEnrolAnswer,
} from "@gatehouse/channel";
import {
  isSignedBy,
  loadPublicKey,
  newPrivateKey,
  nodeIdOf,
  publicKeyBytes,
  signatureLength,
  signBytes,
} from "@gatehouse/keys";
import { isSameBytes, joinSigned, readSigned } from "@gatehouse/keys/frame";
import { type FakeConnection, openFakeConnection } from "./fake-connection.ts";

export interface FakeHostOptions {
  readonly hostname?: string;
  readonly agentVersion?: string;
  /** For a host that comes again; without them it makes new ones. */
  readonly hostKey?: KeyObject;
  readonly channelKey?: KeyObject;
}

/** A host that has no machine: two keys, and what an agent would say with them. */
export interface FakeHost {
  readonly nodeId: string;
  readonly hostname: string;
  readonly agentVersion: string;
  /** Both private. */
  readonly hostKey: KeyObject;
  readonly channelKey: KeyObject;
  /** What the server called it. */
  readonly name: string | undefined;
  readonly tags: readonly string[];
  /** Connects, and resolves when the server has said welcome; rejects with a `FakeRefusal` when it closes instead. */
  hello(): Promise<FakeConnection>;
}

/** A refusal of the enrolment, as the server's problem document has it. */
export class EnrolRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, problem: { readonly code?: unknown; readonly detail?: unknown }) {
    super(`${String(problem.code)}: ${String(problem.detail)}`);
    this.name = "EnrolRefusal";
    this.status = status;
    this.code = String(problem.code);
  }
}

/** Enrols a host with a code of the server at `baseUrl`. What the code says of the address is not used. */
export async function enrolFakeHost(baseUrl: string, code: string, options: FakeHostOptions = {}): Promise<FakeHost> {
  const { hostname = "fake-host", agentVersion = "1.0.0" } = options;
  const { hostKey = newPrivateKey(), channelKey = newPrivateKey() } = options;
  const { server, secret } = parseEnrolCode(sha256, code);
  const framed = enrolRequestFrame({
    version: protocolVersions.max,
    server,
    codeId: enrolCodeId(sha256, secret),
    nonce: randomBytes(32),
    hostKey: publicKeyBytes(hostKey),
    channelKey: publicKeyBytes(channelKey),
    body: { agentVersion, hostname },
  });
  const macKey = Buffer.from(hkdfSync("sha256", secret, server, enrolMacInfo, 32));
  const mac = createHmac("sha256", macKey).update(framed).digest();
  const message = joinSigned(framed, signBytes(hostKey, framed), signBytes(channelKey, framed), mac);
  const answer = await post(new URL(enrolPath, baseUrl), message);
  const signed = readSigned(decodeBase64url(answer), [signatureLength], readEnrolAnswer);
  if (signed === undefined) throw new Error("the answer is not built as one to an enrolment is");
  const { value, signatures } = signed;
  const isOwn = isSameBytes(value.request, sha256(framed));
  if (!isOwn || !isSignedBy(loadPublicKey(server, "the server's key"), signed.framed, signatures[0])) {
    throw new Error("the answer is not the server's to this enrolment");
  }
  const nodeId = nodeIdOf(publicKeyBytes(hostKey));
  if (value.nodeId !== nodeId) throw new Error(`the server calls ${nodeId} by the name ${value.nodeId}`);
  const host = { nodeId, hostname, agentVersion, hostKey, channelKey };
  const { name, tags = [] } = value.body;
  return { ...host, name, tags, hello: () => openFakeConnection({ baseUrl, server, host }) };
}

async function post(url: URL, message: Uint8Array): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ message: encodeBase64url(message) }),
  });
  const answer = (await response.json()) as { readonly message?: string; readonly code?: string };
  if (response.status !== 200) throw new EnrolRefusal(response.status, answer);
  return answer.message ?? "";
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
