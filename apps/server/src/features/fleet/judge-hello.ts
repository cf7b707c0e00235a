import { createHash } from "node:crypto";
import { type AgentHello, decodeBase64url, readAgentHello, type VersionRange } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import type { NodeRecord } from "@gatehouse/contract/records";
import { isSignedBy, loadKeptKey, signatureLength } from "@gatehouse/keys";
import { isSameBytes, readSigned } from "@gatehouse/keys/frame";

/** What the server said in its challenge: the hello must be the answer to exactly this. */
export interface Challenged {
  readonly versions: VersionRange;
  readonly server: Uint8Array;
  readonly nonce: Uint8Array;
  readonly path: string;
}

export interface PresentedHello {
  readonly hello: AgentHello;
  readonly framed: Uint8Array;
  readonly signature: Uint8Array;
}

/** Takes a hello apart, and holds it against what was asked. Nobody is believed yet. */
export function readHello(bytes: Uint8Array, asked: Challenged): PresentedHello {
  const signed = readSigned(bytes, [signatureLength], readAgentHello);
  if (signed === undefined) throw fault("hello.malformed", "the message is not built as a hello is");
  const { value: hello, framed, signatures } = signed;
  const { versions, chosen } = hello;
  if (chosen < asked.versions.min || chosen > asked.versions.max) {
    const { min, max } = asked.versions;
    throw fault("hello.version", `this server speaks ${min} to ${max}, the agent chose ${chosen}`);
  }
  const isAnswer =
    versions.min === asked.versions.min &&
    versions.max === asked.versions.max &&
    hello.path === asked.path &&
    isSameBytes(hello.server, asked.server) &&
    isSameBytes(hello.serverNonce, asked.nonce);
  if (!isAnswer) throw fault("hello.node_signature", "the hello answers another challenge than this connection's");
  return { hello, framed, signature: signatures[0] };
}

/** Which of the node's channel keys has signed the hello. */
export function judgeHello(
  { hello, framed, signature }: PresentedHello,
  node: NodeRecord | undefined,
): "new" | "former" {
  if (node === undefined) throw fault("hello.revoked", "no node has this id");
  if (node.revokedAt !== undefined)
    throw fault("hello.revoked", `it was revoked at ${new Date(node.revokedAt).toISOString()}`);
  const shown = Buffer.from(hello.channelKey).toString("base64url");
  const which = shown === node.channelKey ? "new" : shown === node.formerChannelKey ? "former" : undefined;
  if (which === undefined) throw fault("hello.node_signature", "the channel key is not one of this node");
  const key = loadKeptKey(decodeBase64url(shown) as Uint8Array, "the channel key");
  if (!isSignedBy(key, framed, signature))
    throw fault("hello.node_signature", "the channel key did not sign the hello");
  return which;
}

export function helloDigest(framed: Uint8Array): Uint8Array {
  return createHash("sha256").update(framed).digest();
}
