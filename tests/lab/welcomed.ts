import { createHash, type KeyObject, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  agentHelloFrame,
  agentSubprotocol,
  controlPath,
  decodeBase64url,
  encodeBase64url,
  readChallenge,
  serverHelloFrame,
} from "@gatehouse/channel";
import { importPrivateKey, newPrivateKey, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import { WebSocket } from "ws";
import type { Front } from "./front.ts";
import { type ManagedHost, serverName } from "./managed-host.ts";

/** Both messages of a hello in base64url, as the helper wants to see them. */
export interface Greeting {
  readonly hello: string;
  readonly welcome: string;
}

/** The key by which the network part of a host is known: whoever has taken that part over has it. */
export async function channelKeyOf(host: ManagedHost): Promise<KeyObject> {
  const { seed } = JSON.parse(await host.read("/var/lib/private/gatehouse-agent/channel.key")) as { seed: string };
  return importPrivateKey(decodeBase64url(seed) ?? new Uint8Array());
}

export interface Greeter {
  readonly front: Front;
  readonly nodeId: string;
  readonly channelKey: KeyObject;
}

/** Greets the real server in a host's name with whatever probe, past nginx and the wire: what the server signs is real. */
export async function greetInItsName({ front, nodeId, channelKey }: Greeter, probe: Uint8Array): Promise<Greeting> {
  const url = `${front.server.baseUrl.replace(/^http/, "ws")}${controlPath}`;
  const headers = { Host: serverName, "X-Forwarded-For": "192.168.77.99", "X-Forwarded-Proto": "https" };
  const socket = new WebSocket(url, agentSubprotocol, { headers });
  const next = async () => {
    const [data] = (await once(socket, "message")) as [Buffer];
    return new Uint8Array(data);
  };
  try {
    const challenge = readChallenge(await next());
    if (challenge === undefined) throw new Error("the server has sent no challenge");
    const framed = agentHelloFrame({
      versions: challenge.versions,
      chosen: challenge.versions.max,
      path: controlPath,
      authority: `${serverName}:443`,
      server: challenge.server,
      serverNonce: challenge.nonce,
      agentNonce: randomBytes(32),
      nodeId,
      channelKey: publicKeyBytes(channelKey),
      probe,
      body: { agentVersion: "0.2.1", cursor: { acked: 0, last: 1_000_000 }, features: [] },
    });
    const hello = joinSigned(framed, signBytes(channelKey, framed));
    const answered = next();
    socket.send(hello);
    return { hello: encodeBase64url(hello), welcome: encodeBase64url(await answered) };
  } finally {
    socket.terminate();
  }
}

/** The same hello, welcomed by somebody who has a certificate and not the server's key. */
export function welcomedByAnother({ hello }: Greeting): Greeting {
  const bytes = decodeBase64url(hello) ?? new Uint8Array();
  const digest = createHash("sha256").update(bytes.subarray(4, -64)).digest();
  const body = { acked: 0, beatSeconds: 1, windowSeconds: 2, head: null, serverTime: Date.now() };
  const framed = serverHelloFrame(digest, body);
  return { hello, welcome: encodeBase64url(joinSigned(framed, signBytes(newPrivateKey(), framed))) };
}
