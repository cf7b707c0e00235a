import type { AgentHello } from "@gatehouse/channel";
import { publicKeyBytes } from "@gatehouse/keys";
import { cutShort, exactly, flipped, type HostileCase, type HostileGround, noise } from "./hostile-case.ts";
import { maskedFrame } from "./lean-socket.ts";

/** A hello that is signed well, and says something that it may not. */
function says(
  name: string,
  changed: (ground: HostileGround) => Partial<AgentHello> & { readonly signer?: HostileGround["host"]["hostKey"] },
): HostileCase {
  const bytes = (ground: HostileGround, challenge: Uint8Array) =>
    maskedFrame(ground.host.hello(challenge, changed(ground)));
  return { name, weight: 2, ends: true, bytes };
}

/** Bytes made of a good hello. */
function made(
  name: string,
  weight: number,
  change: (ground: HostileGround, hello: Uint8Array) => Uint8Array | string,
): HostileCase {
  const bytes = (ground: HostileGround, challenge: Uint8Array) =>
    maskedFrame(change(ground, ground.host.hello(challenge)));
  return { name, weight, ends: true, bytes };
}

/** What comes in place of a hello. None of it may be welcomed. */
export const hostileHellos: readonly HostileCase[] = [
  made("turned bits", 20, ({ random }, hello) => flipped(random, hello)),
  made("a cut", 6, ({ random }, hello) => cutShort(random, hello)),
  made("bytes behind", 3, ({ random }, hello) => Buffer.concat([hello, noise(random, 64)])),
  made("as a text", 3, (_, hello) => Buffer.from(hello).toString("base64url")),
  made("twice in one", 2, (_, hello) => Buffer.concat([hello, hello])),
  made("noise", 4, ({ random }) => noise(random, 2_000)),
  made("noise of 60,000 bytes", 1, ({ random }) => Buffer.concat([noise(random, 64), Buffer.alloc(60_000, 7)])),
  made("more than a message may have", 1, () => Buffer.alloc(80_000, 7)),
  made("a beat before the hello", 3, () => '{"t":"beat","seq":1,"at":1,"values":[]}'),
  made("nothing", 1, () => new Uint8Array()),
  says("another node's id", ({ other }) => ({ nodeId: other.nodeId })),
  says("another node's channel key", ({ other }) => ({ channelKey: publicKeyBytes(other.channelKey) })),
  says("another node, signed by oneself", ({ other }) => ({
    nodeId: other.nodeId,
    channelKey: publicKeyBytes(other.channelKey),
  })),
  says("signed by the host key", ({ host }) => ({ signer: host.hostKey })),
  says("signed by another node", ({ other }) => ({ signer: other.channelKey })),
  says("an id that no node has", ({ random }) => ({ nodeId: random.text(40) })),
  says("a very long id", () => ({ nodeId: "node_".padEnd(9_000, "0") })),
  says("the answer to another challenge", ({ random }) => ({ serverNonce: exactly(random, 32) })),
  says("another server", ({ random }) => ({ server: exactly(random, 32) })),
  says("another path", ({ random }) => ({ path: random.pick(["/", "", "/api/agent/control", "/api/agent/enrol"]) })),
  says("other versions", ({ random }) => ({ versions: { min: random.below(3), max: 2 + random.below(60_000) } })),
  says("a version that nobody speaks", ({ random }) => ({ chosen: random.pick([0, 2, 65_535]) })),
  says("a body of another form", ({ random }) => ({ body: random.pick(oddBodies) as AgentHello["body"] })),
  says("a probe of another length", ({ random }) => ({ probe: exactly(random, 1 + random.below(31)) })),
];

const cursor = { acked: 0, last: 0 };
const oddBodies: readonly unknown[] = [
  {},
  [],
  "text",
  null,
  { agentVersion: "0.2.1", cursor, features: [], more: 1 },
  { agentVersion: "latest", cursor, features: [] },
  { agentVersion: "0.2.1", cursor: { acked: -1, last: 0 }, features: [] },
  { agentVersion: "0.2.1", cursor: { acked: "0", last: 2 ** 53 - 1 }, features: [] },
  { agentVersion: "0.2.1", cursor, features: ["UPPER"] },
  { agentVersion: "0.2.1", cursor, features: Array.from({ length: 33 }, () => "a") },
  { agentVersion: "0.2.1", cursor: [0, 0], features: {} },
];
