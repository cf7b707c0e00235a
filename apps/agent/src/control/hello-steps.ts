import { createHash, type KeyObject } from "node:crypto";
import {
  agentHelloFrame,
  channelLimits,
  chooseVersion,
  controlPath,
  readChallenge,
  readServerHello,
  type VersionRange,
  type WelcomeBody,
} from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { isSignedBy, loadPublicKey, publicKeyBytes, signatureLength, signBytes } from "@gatehouse/keys";
import { isSameBytes, joinSigned, splitSigned } from "@gatehouse/keys/frame";
import type { Cursor } from "../outbox/outbox.ts";

/** Who this host is for one connection, and whom alone it believes. */
export interface Credentials {
  readonly nodeId: string;
  readonly channelKey: KeyObject;
  /** Whether that key is one the server was offered, and has not welcomed yet. */
  readonly isOffered: boolean;
  /** The server's key as root has written it down. */
  readonly server: Uint8Array;
  /** `host:port` that was dialled. */
  readonly authority: string;
  /** What the helper wants to see signed by the server, or nothing. */
  readonly probe: Uint8Array;
}

export interface OwnHello {
  /** What this agent speaks. */
  readonly versions: VersionRange;
  readonly agentVersion: string;
  readonly cursor: Cursor;
  readonly nonce: Uint8Array;
}

/**
 * What this agent answers beyond what every one does: questions about its host, changes, which it brings to its helper, logs, and heads
 * of the server's log, which its helper keeps.
 */
export const agentFeatures = ["state", "task", "logs", "witness"] as const;

/** The answer to a challenge. Nothing is sent to whom does not even claim to be the server. */
export function answerChallenge(credentials: Credentials, own: OwnHello, data: string | Uint8Array) {
  const bytes = helloBytes(data);
  const challenge = readChallenge(bytes);
  if (challenge === undefined) {
    if (isWelcome(bytes)) throw fault("hello.order", "expected a challenge, found a welcome");
    throw fault("hello.malformed", "the challenge is not built as one");
  }
  if (!isSameBytes(challenge.server, credentials.server)) {
    throw fault("hello.server_key", `expected the key ${shown(credentials.server)}, found ${shown(challenge.server)}`);
  }
  const chosen = chooseVersion(own.versions, challenge.versions);
  if (chosen === undefined) {
    const { min, max } = challenge.versions;
    const { min: least, max: most } = own.versions;
    throw fault("hello.version", `this agent speaks ${least} to ${most}, the server ${min} to ${max}`);
  }
  const framed = agentHelloFrame({
    versions: challenge.versions,
    chosen,
    path: controlPath,
    authority: credentials.authority,
    server: challenge.server,
    serverNonce: challenge.nonce,
    agentNonce: own.nonce,
    nodeId: credentials.nodeId,
    channelKey: publicKeyBytes(credentials.channelKey),
    probe: credentials.probe,
    body: { agentVersion: own.agentVersion, cursor: own.cursor, features: [...agentFeatures] },
  });
  return { framed, message: joinSigned(framed, signBytes(credentials.channelKey, framed)) };
}

/** The server's half, held against the very bytes that were sent: what it says, and the message as it came. */
export function checkWelcome(
  credentials: Credentials,
  sent: Uint8Array,
  cursor: Cursor | undefined,
  data: string | Uint8Array,
): { readonly body: WelcomeBody; readonly bytes: Uint8Array } {
  const bytes = helloBytes(data);
  if (readChallenge(bytes) !== undefined) throw fault("hello.order", "expected a welcome, found a second challenge");
  const parts = splitSigned(bytes, [signatureLength]);
  if (parts === undefined) throw fault("hello.malformed", "the welcome is no signed message");
  const key = loadPublicKey(credentials.server, "the server's key");
  if (!isSignedBy(key, parts.framed, parts.signatures[0])) {
    throw fault("hello.server_signature", "the welcome is not signed by the server's key");
  }
  const welcome = readServerHello(parts.framed);
  if (welcome === undefined) throw fault("hello.malformed", "the welcome has fields outside of their limits");
  if (!isSameBytes(welcome.hello, createHash("sha256").update(sent).digest())) {
    throw fault("hello.server_signature", "the welcome is for another hello than this one");
  }
  if (cursor !== undefined && welcome.body.acked > cursor.last) {
    throw fault("hello.malformed", `expected at most ${cursor.last} as acknowledged, found ${welcome.body.acked}`);
  }
  return { body: welcome.body, bytes };
}

function helloBytes(data: string | Uint8Array): Uint8Array {
  if (typeof data === "string") throw fault("frame.illegal_now", "a text before the hello was finished");
  if (data.byteLength > channelLimits.helloBytes) {
    throw fault("hello.malformed", `expected at most ${channelLimits.helloBytes} bytes, found ${data.byteLength}`);
  }
  return data;
}

function isWelcome(bytes: Uint8Array): boolean {
  const parts = splitSigned(bytes, [signatureLength]);
  return parts !== undefined && readServerHello(parts.framed) !== undefined;
}

function shown(key: Uint8Array): string {
  return `${Buffer.from(key.subarray(0, 6)).toString("hex")}…`;
}
