import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Clock } from "@gatehouse/base";
import {
  decodeBase64url,
  encodeBase64url,
  type EnrolCode,
  enrolCodeId,
  enrolMacInfo,
  type EnrolRequest,
  enrolRequestFrame,
  protocolVersions,
  readEnrolAnswer,
} from "@gatehouse/channel";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { Vfs } from "@gatehouse/files";
import {
  isSignedBy,
  loadPublicKey,
  newPrivateKey,
  nodeIdOf,
  publicKeyBytes,
  signatureLength,
  signBytes,
} from "@gatehouse/keys";
import { isSameBytes, joinSigned, splitSigned } from "@gatehouse/keys/frame";
import type { AgentPaths } from "../config.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import { keepNextChannelKey } from "../local/channel-key.ts";
import { nextPlace } from "../local/next-place.ts";
import { getPinnedServer } from "../local/server-file.ts";
import type { PostEnrolment } from "./post-enrolment.ts";
import { readUsableCode, sha256 } from "./read-code.ts";

export interface ExchangeDeps {
  readonly paths: Pick<AgentPaths, "server" | "hostKey" | "channelKey">;
  /** Whom root's files belong to. */
  readonly owner: number;
  /** The user of the network part. */
  readonly user: number;
  readonly clock: Clock;
  readonly ask: AskHelper;
  readonly post: PostEnrolment;
  /** Between two attempts that nobody answered. */
  readonly pause: () => Promise<void>;
  readonly agentVersion: string;
  readonly hostname: string;
  readonly vfs?: Vfs | undefined;
}

/** Nobody answered: the same request again is answered the same, so that it can be asked again. */
const attempts = 3;

/** The network part of an enrolment, without any right: proves both keys and the code to the server, and has the server prove itself. */
export async function exchangeEnrolment(deps: ExchangeDeps, text: string): Promise<{ readonly nodeId: string }> {
  const code = readUsableCode(text, deps.clock.now());
  const server = getPinnedServer(nextPlace(deps));
  if (server.url !== code.url || !isSameBytes(server.key, code.server)) {
    throw fault("enrol.server_key", "root has begun an enrolment with another server than the code's");
  }
  const key = newPrivateKey();
  const next = await keepNextChannelKey(deps, key);
  try {
    const { request, hostSignature } = await signedByHost(deps, code, publicKeyBytes(key));
    const framed = enrolRequestFrame(request);
    const mac = createHmac("sha256", macKey(code)).update(framed).digest();
    const message = joinSigned(framed, hostSignature, signBytes(key, framed), mac);
    const answer = await postPatiently(deps, () => deps.post(server, message));
    const nodeId = nodeIdOf(request.hostKey);
    checkAnswer(code, framed, nodeId, answer);
    await next.take();
    return { nodeId };
  } finally {
    await next.drop();
  }
}

async function signedByHost(deps: ExchangeDeps, code: EnrolCode, channelKey: Uint8Array) {
  const codeId = enrolCodeId(sha256, code.secret);
  const nonce = randomBytes(32);
  const body = { agentVersion: deps.agentVersion, hostname: deps.hostname };
  const told = await deps.ask("enrol.sign", {
    server: encodeBase64url(code.server),
    codeId: encodeBase64url(codeId),
    nonce: encodeBase64url(nonce),
    channelKey: encodeBase64url(channelKey),
    body,
  });
  const [hostKey, hostSignature] = [told["hostKey"], told["signature"]].map((each) =>
    typeof each === "string" ? decodeBase64url(each) : undefined,
  );
  if (hostKey?.byteLength !== 32 || hostSignature?.byteLength !== signatureLength) {
    throw fault("local.unavailable", "the helper has signed nothing that could be sent");
  }
  const { max: version } = protocolVersions;
  const request: EnrolRequest = { version, server: code.server, codeId, nonce, hostKey, channelKey, body };
  return { request, hostSignature };
}

function macKey({ secret, server }: EnrolCode): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, server, enrolMacInfo, 32));
}

async function postPatiently(deps: ExchangeDeps, post: () => Promise<Uint8Array>): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await post();
    } catch (error) {
      const isLost = isFault(error, "enrol.unreachable") && error.fields["answered"] !== true;
      if (attempt >= attempts || !isLost) throw error;
      await deps.pause();
    }
  }
}

/** The signature first: what the server did not sign is not even read. */
function checkAnswer(code: EnrolCode, framed: Uint8Array, nodeId: string, bytes: Uint8Array): void {
  const parts = splitSigned(bytes, [signatureLength]);
  if (parts === undefined) throw fault("enrol.malformed", "the answer is no signed message");
  const key = loadPublicKey(code.server, "the server's key in the code");
  if (!isSignedBy(key, parts.framed, parts.signatures[0])) {
    throw fault("enrol.server_signature", "the answer is not signed by the key in the code");
  }
  const answer = readEnrolAnswer(parts.framed);
  if (answer === undefined) throw fault("enrol.malformed", "the answer has fields that no answer has");
  if (!isSameBytes(answer.request, sha256(framed))) {
    throw fault("enrol.server_signature", "the answer is signed for another request than this one");
  }
  if (answer.nodeId !== nodeId) throw fault("enrol.node_id", `expected ${nodeId}, found another`);
}
