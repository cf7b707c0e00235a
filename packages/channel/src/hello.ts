import { byteForm, readByteForm } from "@gatehouse/base";
import { encodeText, frame, readFrame, readNumber, readText, u16, u64 } from "@gatehouse/keys/frame";
import * as z from "zod";
import { agentVersion } from "./fields.ts";
import { channelLimits } from "./limits.ts";
import type { VersionRange } from "./versions.ts";

const challengeDomain = "gatehouse-challenge-v1";
const agentDomain = "gatehouse-hello-agent-v1";
const serverDomain = "gatehouse-hello-server-v1";

/** The first message, from the server. Unsigned: what it says is signed by both in the two that follow. */
export interface Challenge {
  readonly versions: VersionRange;
  readonly server: Uint8Array;
  readonly nonce: Uint8Array;
  readonly at: number;
}

export function challengeFrame({ versions, server, nonce, at }: Challenge): Uint8Array {
  return frame(challengeDomain, u16(versions.min), u16(versions.max), server, nonce, u64(at));
}

export function readChallenge(bytes: Uint8Array): Challenge | undefined {
  const fields = readFrame(bytes, challengeDomain, [2, 2, 32, 32, 8]);
  if (fields === undefined) return undefined;
  const [min, max, at] = [fields[0], fields[1], fields[4]].map(readNumber);
  if (min === undefined || max === undefined || at === undefined || min > max) return undefined;
  return { versions: { min, max }, server: fields[2], nonce: fields[3], at };
}

const count = z.int().nonnegative();

export const helloBody = z.strictObject({
  agentVersion,
  /** What the agent's outbox has: the highest that was acknowledged, and the highest there is. */
  cursor: z.strictObject({ acked: count, last: count }),
  /** Types of frames that this agent serves beyond those that every one does. The server sends no other. */
  features: z.array(z.string().regex(/^[a-z][a-z-]{0,31}$/)).max(32),
});
export type HelloBody = z.output<typeof helloBody>;

/** What an agent signs with its channel key. Both identities, path and authority are in it: it fits no other connection. */
export interface AgentHello {
  readonly versions: VersionRange;
  readonly chosen: number;
  readonly path: string;
  /** `host:port` that was dialled. */
  readonly authority: string;
  readonly server: Uint8Array;
  readonly serverNonce: Uint8Array;
  readonly agentNonce: Uint8Array;
  readonly nodeId: string;
  readonly channelKey: Uint8Array;
  /** Empty, or 32 bytes that the helper wants to see signed by the server. */
  readonly probe: Uint8Array;
  readonly body: HelloBody;
}

/** TLS may end at a proxy, so that nothing of it can be bound to: any value is refused. */
const noBinding = new Uint8Array();

export function agentHelloFrame(hello: AgentHello): Uint8Array {
  return frame(
    agentDomain,
    u16(hello.versions.min),
    u16(hello.versions.max),
    u16(hello.chosen),
    encodeText(hello.path),
    encodeText(hello.authority),
    hello.server,
    hello.serverNonce,
    hello.agentNonce,
    encodeText(hello.nodeId),
    hello.channelKey,
    noBinding,
    hello.probe,
    byteForm(hello.body),
  );
}

export function readAgentHello(framed: Uint8Array): AgentHello | undefined {
  const fields = readFrame(framed, agentDomain, [2, 2, 2, "any", "any", 32, 32, 32, "any", 32, 0, [0, 32], "any"]);
  if (fields === undefined) return undefined;
  const [min, max, chosen] = [fields[0], fields[1], fields[2]].map(readNumber) as [number, number, number];
  const [path, authority, nodeId] = [fields[3], fields[4], fields[8]].map(readText);
  const body = helloBody.safeParse(readByteForm(fields[12]));
  if (path === undefined || authority === undefined || nodeId === undefined || !body.success) return undefined;
  return {
    versions: { min, max },
    chosen,
    path,
    authority,
    server: fields[5],
    serverNonce: fields[6],
    agentNonce: fields[7],
    nodeId,
    channelKey: fields[9],
    probe: fields[11],
    body: body.data,
  };
}

const { beatSeconds, windowSeconds } = channelLimits;

/** What the server says in its half. The time only shows how far the clocks are apart; it enters no decision. */
export const welcomeBody = z.strictObject({
  /** Up to where it has the agent's outbox. */
  acked: count,
  beatSeconds: z.int().min(beatSeconds.least).max(beatSeconds.most),
  windowSeconds: z.int().min(windowSeconds.least).max(windowSeconds.most),
  /** A signed head of the audit log, once agents are witnesses of it. */
  head: z.null(),
  serverTime: count,
});
export type WelcomeBody = z.output<typeof welcomeBody>;

/** `hello` is SHA-256 of the agent's frame: by it the server signs everything that the agent has. */
export function serverHelloFrame(hello: Uint8Array, body: WelcomeBody): Uint8Array {
  return frame(serverDomain, hello, byteForm(body));
}

export function readServerHello(
  framed: Uint8Array,
): { readonly hello: Uint8Array; readonly body: WelcomeBody } | undefined {
  const fields = readFrame(framed, serverDomain, [32, "any"]);
  const body = fields && welcomeBody.safeParse(readByteForm(fields[1]));
  return fields && body?.success === true ? { hello: fields[0], body: body.data } : undefined;
}
