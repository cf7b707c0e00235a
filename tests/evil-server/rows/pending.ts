import { createHash } from "node:crypto";
import { agentHelloFrame, controlPath, encodeBase64url, serverHelloFrame } from "@gatehouse/channel";
import { newPrivateKey, signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import { getChannelKey } from "../../../apps/agent/src/local/channel-key.ts";
import { authorityOf } from "../../../apps/agent/src/local/authority-of.ts";
import { untilJournal } from "../../lab/change-on-host.ts";
import { lstatSync } from "node:fs";
import { publicKeyBytes } from "@gatehouse/keys";
import { serverKey, serverPublicKey } from "../stolen-server.ts";
import type { Found } from "./found.ts";
import { approvalFor, approvedBy, planFor, taskOf } from "./made-task.ts";
import { approvers } from "./approvers.ts";
import type { RowGround } from "./row.ts";
import type { HostWish, RowHost } from "./row-host.ts";

/** Long enough for everything that is tried, however busy the machine is. */
const window = 600;

/** A change of the usual file is made and waits for its proof: nobody welcomes the host. */
export async function beginUnproved(host: RowHost, rollbackWindow = window): Promise<Found> {
  host.machine.server.manner = "silent";
  const plan = await planFor(host);
  const approvals = approvedBy([approvers.ada], approvalFor(host, plan, { rollbackWindow }));
  const found = await host.offer(taskOf(host, plan, { approvals }));
  if (found.code === "answered") await untilJournal(host.machine.host, "probe", 0);
  return found;
}

/** The server is back, and the host reaches it. */
export async function proveHonestly(host: RowHost): Promise<Found> {
  host.machine.server.manner = "usual";
  await host.machine.forgetConnection();
  await host.machine.startAgent();
  return host.end();
}

/** What is tried while a change waits for its proof; and the end of that change, which is then proved as it should be. */
export async function whilePending(
  { open }: RowGround,
  attempt: (host: RowHost) => Promise<readonly Found[]>,
  wish: HostWish = {},
): Promise<Found[]> {
  const host = await open(wish);
  const begun = await beginUnproved(host);
  if (begun.code !== "answered") return [begun];
  const found = await attempt(host);
  return [...found, await proveHonestly(host)];
}

/** The probe that the host has written down last. */
export async function probeOn({ machine }: RowHost): Promise<Uint8Array> {
  const record = await untilJournal(machine.host, "probe", 0);
  return record.kind === "probe" ? Uint8Array.fromHex(record.data.nonce) : new Uint8Array();
}

export interface ProofParts {
  readonly probe: Uint8Array;
  readonly nodeId?: string;
  /** Who signs the welcome. */
  readonly key?: typeof serverKey;
}

/** Whoever has the network part and the server's key makes both halves of a hello himself, and shows them to the helper. */
export function prove(host: RowHost, { probe, nodeId = host.nodeId, key = serverKey }: ProofParts): Promise<Found> {
  const { paths, url } = host.machine;
  const channelKey = getChannelKey({ paths, user: lstatSync(paths.channelKey).uid });
  const framed = agentHelloFrame({
    versions: { min: 1, max: 1 },
    chosen: 1,
    path: controlPath,
    authority: authorityOf(url),
    server: serverPublicKey,
    serverNonce: new Uint8Array(32).fill(7),
    agentNonce: new Uint8Array(32).fill(8),
    nodeId,
    channelKey: publicKeyBytes(channelKey),
    probe,
    body: { agentVersion: "0.2.1", cursor: { acked: 0, last: 0 }, features: [] },
  });
  const digest = createHash("sha256").update(framed).digest();
  const body = { acked: 0, beatSeconds: 1, windowSeconds: 1, head: null, serverTime: Date.now() };
  const welcome = serverHelloFrame(digest, body);
  return host.ask("probe.proof", {
    hello: encodeBase64url(joinSigned(framed, signBytes(channelKey, framed))),
    welcome: encodeBase64url(joinSigned(welcome, signBytes(key, welcome))),
  });
}

export const strangersKey = newPrivateKey();
