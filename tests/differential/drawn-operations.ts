import { createHash } from "node:crypto";
import {
  findNetwork,
  findPrefix,
  type FirewallApply,
  type FirewallRule,
  type NetworkWireguard,
  operation,
  type Operation,
  overlaps,
  type Prefix,
  writeAddress,
  writePrefix,
} from "@gatehouse/plan";
import { icmpTypes, icmpv6Types } from "../../packages/plan/src/operations/firewall/rule.ts";
import type { Random } from "../support/random.ts";

/** Operations that hosts can do, drawn from all that their schemas let through: also the awkward ends of it. */
const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const plain = `${lower}${lower.toUpperCase()}${digits}`;

export const drawnKinds = [
  "firewall.apply",
  "network.wireguard",
  "file.write",
  "binary.replace",
  "service.restart",
  "log.tail",
] as const;
type DrawnKind = (typeof drawnKinds)[number];

export function drawOperation(random: Random, kind: DrawnKind = random.pick(drawnKinds)): Operation {
  return operation.parse(drawers[kind](random));
}

const drawers: Readonly<Record<DrawnKind, (random: Random) => Operation>> = {
  "firewall.apply": drawTable,
  "network.wireguard": drawInterface,
  "file.write": (random) => ({
    kind: "file.write",
    path: drawPath(random),
    text: random.text(400, `${plain} .,:;|&<>()[]{}*?!#~=%^$@+-_/\\"'\`\n\n\t\täöü漢字😀`),
    mode: `0${chars(random, "01234567", 3, 3)}`,
    owner: drawAccount(random),
    group: drawAccount(random),
  }),
  "binary.replace": drawProgram,
  "service.restart": (random) => ({ kind: "service.restart", unit: drawUnit(random) }),
  "log.tail": (random) => ({
    kind: "log.tail",
    source: random.chance(0.3) ? { from: "file", path: drawPath(random) } : { from: "journal", unit: drawUnit(random) },
    lines: 1 + random.below(10_000),
  }),
};

function drawUnit(random: Random): string {
  return `${chars(random, plain, 1, 1)}${chars(random, `${plain}:_.@-`, 0, random.chance(0.1) ? 119 : 24)}.service`;
}

type BinaryReplace = Extract<Operation, { kind: "binary.replace" }>;

/** Its bytes are nothing but what is said of it, so that whoever has the operation has them. */
function drawProgram(random: Random): BinaryReplace {
  const signed = Uint8Array.from({ length: 64 }, () => random.below(256));
  const facts = {
    name: chars(random, `${lower}${digits}`, 1, 1) + chars(random, `${lower}${digits}._-`, 0, 63),
    version: `${random.below(100)}.${random.below(100)}.${random.below(100)}${random.chance(0.3) ? "-alpha.1" : ""}`,
    architecture: random.pick(["x64", "arm64"] as const),
    publisher: chars(random, lower, 2, 20),
    signature: { keyId: chars(random, `${digits}abcdef`, 32, 32), ed25519: Buffer.from(signed).toString("base64") },
  };
  const bytes = programOf(facts);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { kind: "binary.replace", path: drawPath(random), ...facts, sha256, size: bytes.byteLength };
}

export function programOf({
  name,
  version,
  architecture,
  publisher,
  signature,
}: Pick<BinaryReplace, "name" | "version" | "architecture" | "publisher" | "signature">): Uint8Array<ArrayBuffer> {
  const said = [name, version, architecture, publisher, signature.keyId, signature.ed25519];
  return new TextEncoder().encode(`${said.join("\n")}\n`);
}

function drawTable(random: Random): FirewallApply {
  const end = random.chance(0.3) ? "edge" : chars(random, lower, 1, 1) + chars(random, `${lower}${digits}_`, 0, 30);
  return {
    kind: "firewall.apply",
    table: `gatehouse_${end}`,
    input: drawChain(random),
    ...(random.chance(0.4) && { forward: drawChain(random) }),
  };
}

function drawChain(random: Random): FirewallApply["input"] {
  return { policy: random.pick(["accept", "drop"]), rules: listOf(random, 0, 5, drawRule) };
}

function drawRule(random: Random): FirewallRule {
  const protocol = random.chance(0.2) ? undefined : random.pick(["tcp", "udp", "icmp", "icmpv6"] as const);
  const family = protocol === "icmp" ? 4 : protocol === "icmpv6" ? 6 : undefined;
  const types = protocol === "icmp" ? icmpTypes : icmpv6Types;
  const interfaceOf = () => chars(random, plain, 1, 1) + chars(random, `${plain}._-`, 0, 14);
  return {
    label: drawLabel(random),
    verdict: random.pick(["accept", "drop", "reject"]),
    ...(random.chance(0.3) && { interfaces: distinct(listOf(random, 1, 3, interfaceOf)) }),
    ...(random.chance(0.5) && { sources: drawSources(random, family) }),
    ...(random.chance(0.3) && {
      states: distinct(listOf(random, 1, 3, () => random.pick(["new", "established", "related", "invalid"] as const))),
    }),
    ...(protocol !== undefined && { protocol }),
    ...((protocol === "tcp" || protocol === "udp") && random.chance(0.8) && { ports: drawPorts(random) }),
    ...(family !== undefined &&
      random.chance(0.8) && { types: distinct(listOf(random, 1, 3, () => random.pick(types))) }),
  };
}

function drawInterface(random: Random): NetworkWireguard {
  const addresses = listOf(random, 1, 4, drawTunnelEnd).map(({ bytes, length }) => `${writeAddress(bytes)}/${length}`);
  const networks = distinct(listOf(random, 0, 12, () => writePrefix(drawTunnelEnd(random))));
  const peers = listOf(random, 0, 4, drawPeer).map((peer, index, all) => ({
    ...peer,
    allowedIps: networks.filter((_, at) => at % all.length === index).filter(isFirstOfItsKind),
  }));
  return {
    kind: "network.wireguard",
    interface: `wg${chars(random, `${lower}${digits}`, 1, 12)}`,
    publicKey: null,
    listenPort: 1 + random.below(65_535),
    ...(random.chance(0.3) && { mtu: 1_280 + random.below(7_721) }),
    addresses: addresses.filter((text, at) => addresses.findIndex((one) => isSameAddress(one, text)) === at),
    peers: peers.filter(({ allowedIps }) => allowedIps.length > 0),
  };
}

/** An address that a host can have in a tunnel, private or public, in a network as wide as it may be or narrower. */
function drawTunnelEnd(random: Random): Prefix {
  const { family, first, shortest } = random.pick(tunnelEnds);
  const bytes = Uint8Array.from({ length: family === 4 ? 4 : 16 }, () => (random.chance(0.3) ? 0 : random.below(256)));
  bytes[0] = first;
  return { family, bytes, length: shortest + random.below(bytes.length * 8 + 1 - shortest) };
}

const tunnelEnds = [
  { family: 4, first: 10, shortest: 8 },
  { family: 4, first: 203, shortest: 24 },
  { family: 6, first: 0xfd, shortest: 16 },
  { family: 6, first: 0x20, shortest: 48 },
] as const;

function drawPeer(random: Random): Omit<NetworkWireguard["peers"][number], "allowedIps"> {
  const key = Uint8Array.from({ length: 32 }, () => random.below(256));
  const host = random.pick(["192.0.2.1", "255.255.255.254", "2001:db8::1", "2001:db8:1:2:3:4:5:6", "::2"]);
  return {
    label: chars(random, plain, 1, 1) + chars(random, `${plain} ._-`, 0, 20) + chars(random, plain, 1, 1),
    publicKey: Buffer.from(key).toString("base64"),
    ...(random.chance(0.5) && { endpoint: { host, port: 1 + random.below(65_535) } }),
    ...(random.chance(0.5) && { keepaliveSeconds: 1 + random.below(65_535) }),
  };
}

function isSameAddress(one: string, other: string): boolean {
  return findPrefix(one)?.bytes.join() === findPrefix(other)?.bytes.join();
}

function isFirstOfItsKind(text: string, at: number, all: readonly string[]): boolean {
  return all.slice(0, at).every((other) => !isOverlap(text, other));
}

function drawLabel(random: Random): string {
  const middle = chars(random, `${plain}  ._:/-`, 0, random.chance(0.1) ? 62 : 20);
  return `${chars(random, plain, 1, 1)}${random.chance(0.9) ? `${middle}${chars(random, plain, 1, 1)}` : ""}`;
}

function drawSources(random: Random, family: 4 | 6 | undefined): string[] {
  const drawn = listOf(random, 1, 4, () => drawNetwork(random, family ?? random.pick([4, 6])));
  return drawn.filter((text, index) => drawn.slice(0, index).every((other) => !isOverlap(text, other)));
}

function drawNetwork(random: Random, family: 4 | 6): string {
  const bytes = Uint8Array.from({ length: family === 4 ? 4 : 16 }, () => random.below(256));
  const length = random.below(bytes.length * 8 + 1);
  // Never IPv4 in IPv6 clothes.
  if (family === 6) bytes[0] = 0x20;
  const masked = bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, length - index * 8))));
  return `${writeAddress(masked)}/${length}`;
}

function isOverlap(one: string, other: string): boolean {
  const [a, b] = [findNetwork(one), findNetwork(other)];
  return a !== undefined && b !== undefined && overlaps(a, b);
}

function drawPorts(random: Random): { from: number; to: number }[] {
  const ends = distinct(listOf(random, 1, 8, () => 1 + random.below(65_535))).toSorted((a, b) => a - b);
  const pairs = ends.flatMap((from, index) => (index % 2 === 0 ? [{ from, to: ends[index + 1] ?? from }] : []));
  return pairs.map(({ from, to }) => (random.chance(0.5) ? { from, to: from } : { from, to }));
}

function drawPath(random: Random): string {
  if (random.chance(0.2)) return `/etc/systemd/system/${chars(random, lower, 1, 8)}.service`;
  const part = () => {
    const name = chars(random, `${plain}._@+-`, 1, 16);
    return name === "." || name === ".." ? "..." : name;
  };
  return `/${listOf(random, 1, 6, part).join("/")}`;
}

function drawAccount(random: Random): string {
  return random.chance(0.5) ? "root" : chars(random, `${lower}_`, 1, 1) + chars(random, `${lower}${digits}_-`, 0, 31);
}

function chars(random: Random, letters: string, least: number, most: number): string {
  return listOf(random, least, most, () => letters.charAt(random.below(letters.length))).join("");
}

export function listOf<T>(random: Random, least: number, most: number, draw: (random: Random) => T): T[] {
  return Array.from({ length: least + random.below(most - least + 1) }, () => draw(random));
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
