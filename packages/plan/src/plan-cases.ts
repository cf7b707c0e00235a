import fc from "fast-check";
import { writeAddress } from "./addresses.ts";
import { isDistinct } from "./fields.ts";
import { icmpTypes, icmpv6Types } from "./operations/firewall/rule.ts";
import type { Operation } from "./operations/table.ts";
import { type FindState, finishPlan, type PlanDocument, type PlanDraft, type Precondition } from "./plan-document.ts";

/** Random plans of every form that the schemas allow, for tests of the byte form and the digests. */
const oneOf = (letters: string) => fc.constantFrom(...Array.from(letters));
const chars = (letters: string, least: number, most: number) =>
  fc.string({ unit: oneOf(letters), minLength: least, maxLength: most });
const digits = "0123456789";
const hexDigits = "0123456789abcdef";
const lower = "abcdefghijklmnopqrstuvwxyz";
const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const sha256 = chars(hexDigits, 64, 64);
const port = fc.integer({ min: 1, max: 65_535 });
const keyId = chars(hexDigits, 32, 32);
const key = fc.tuple(chars(base64, 42, 42), oneOf("AEIMQUYcgkosw048")).map(([a, b]) => `${a}${b}=`);
const signature = fc.record({
  keyId,
  ed25519: fc.tuple(chars(base64, 85, 85), oneOf("AQgw")).map(([a, b]) => `${a}${b}==`),
});
const version = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((parts) => parts.join("."));
const architecture = fc.constantFrom("x64" as const, "arm64" as const);
const unit = chars(`${lower}${digits}`, 1, 12).map((name) => `${name}.service`);
const path = fc
  .array(chars(`${lower}${digits}_`, 1, 8), { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join("/")}`);
const line = fc
  .string({ unit: oneOf("abcäöü漢字 .,:-"), minLength: 1, maxLength: 40 })
  .map((text) => text.trim())
  .filter((text) => text !== "");
const label = chars(`${lower}${digits}`, 1, 20);

const network4 = fc
  .tuple(fc.integer({ min: 0, max: 32 }), fc.uint8Array({ minLength: 4, maxLength: 4 }))
  .map(([length, bytes]) => `${writeAddress(masked(bytes, length))}/${length}`);
/** The first 96 bits are never those of IPv4 in IPv6 clothes. */
const network6 = fc
  .tuple(fc.integer({ min: 8, max: 128 }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
  .map(([length, bytes]) => `${writeAddress(masked(Uint8Array.of(0x20, ...bytes.subarray(1)), length))}/${length}`);
const oneNetwork = fc.oneof(network4, network6).map((one) => [one]);

const states = fc.uniqueArray(
  fc.constantFrom("new" as const, "established" as const, "related" as const, "invalid" as const),
  {
    minLength: 1,
  },
);
const verdict = fc.constantFrom("accept" as const, "drop" as const, "reject" as const);
const interfaces = fc.uniqueArray(chars(`${lower}${digits}`, 1, 15), { minLength: 1, maxLength: 3 });
const general = { label, verdict, interfaces, states };
const withPorts = fc.record(
  {
    ...general,
    sources: oneNetwork,
    protocol: fc.constantFrom("tcp" as const, "udp" as const),
    ports: fc
      .uniqueArray(port, { minLength: 1, maxLength: 4 })
      .map((all) => all.toSorted((a, b) => a - b).map((from) => ({ from, to: from }))),
  },
  { requiredKeys: ["label", "verdict", "protocol"] },
);
const typesOf = <T extends string>(all: readonly T[]) => fc.uniqueArray(fc.constantFrom(...all), { minLength: 1 });
const rule = fc.oneof(
  fc.record({ ...general, sources: oneNetwork }, { requiredKeys: ["label", "verdict"] }),
  withPorts,
  fc.record({ ...general, protocol: fc.constant("icmp" as const), types: typesOf(icmpTypes) }),
  fc.record({ ...general, protocol: fc.constant("icmpv6" as const), types: typesOf(icmpv6Types) }),
);
const chain = fc.record({
  policy: fc.constantFrom("accept" as const, "drop" as const),
  rules: fc.array(rule, { maxLength: 4 }),
});

/** Addresses that a host can have in a tunnel, private and public, each in a network as wide as it may be or narrower. */
const ends = [
  { first: 10, shortest: 8, bytes: 4 },
  { first: 203, shortest: 24, bytes: 4 },
  { first: 0xfd, shortest: 16, bytes: 16 },
  { first: 0x20, shortest: 48, bytes: 16 },
];
const tunnelEnd = fc.oneof(
  ...ends.map(({ first, shortest, bytes }) =>
    fc
      .tuple(
        fc.integer({ min: shortest, max: bytes * 8 }),
        fc.uint8Array({ minLength: bytes - 1, maxLength: bytes - 1 }),
      )
      .map(([length, rest]) => ({ length, bytes: Uint8Array.of(first, ...rest) })),
  ),
);
const hostAddress = tunnelEnd.map(({ length, bytes }) => `${writeAddress(bytes)}/${length}`);
const tunnelNetwork = tunnelEnd.map(({ length, bytes }) => `${writeAddress(masked(bytes, length))}/${length}`);
const hostAddresses = fc.uniqueArray(hostAddress, {
  minLength: 1,
  maxLength: 3,
  selector: (text) => text.slice(0, text.indexOf("/")),
});
const peer = fc.record(
  {
    label,
    publicKey: key,
    allowedIps: tunnelNetwork.map((one) => [one]),
    endpoint: fc.record({ host: fc.constantFrom("192.0.2.1", "2001:db8::1"), port }),
    keepaliveSeconds: fc.integer({ min: 1, max: 65_535 }),
  },
  { requiredKeys: ["label", "publicKey", "allowedIps"] },
);

export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record(
    {
      kind: fc.constant("firewall.apply" as const),
      table: chars(lower, 1, 10).map((name) => `gatehouse_${name}`),
      input: chain,
      forward: chain,
    },
    { requiredKeys: ["kind", "table", "input"] },
  ),
  fc.record(
    {
      kind: fc.constant("network.wireguard" as const),
      interface: chars(`${lower}${digits}`, 1, 6).map((name) => `wg${name}`),
      publicKey: fc.option(key),
      listenPort: port,
      mtu: fc.integer({ min: 1_280, max: 9_000 }),
      addresses: hostAddresses,
      peers: fc
        .uniqueArray(peer, { maxLength: 3, selector: ({ allowedIps }) => allowedIps[0] })
        .filter((peers) => isDistinct(peers.map(({ publicKey }) => publicKey))),
    },
    { requiredKeys: ["kind", "interface", "publicKey", "listenPort", "addresses", "peers"] },
  ),
  fc.record({ kind: fc.constant("service.restart" as const), unit }),
  fc.record({
    kind: fc.constant("file.write" as const),
    path,
    text: fc.string({ unit: oneOf("abcÄ漢 \n\t{}\"'\\") }),
    mode: chars("01234567", 3, 3).map((mode) => `0${mode}`),
    owner: chars(lower, 1, 8),
    group: chars(lower, 1, 8),
  }),
  fc.record({
    kind: fc.constant("binary.replace" as const),
    path,
    name: chars(`${lower}${digits}`, 1, 12),
    version,
    architecture,
    sha256,
    size: fc.integer({ min: 1, max: 1_000_000 }),
    publisher: chars(lower, 2, 10),
    signature,
  }),
  fc.record({
    kind: fc.constant("agent.update" as const),
    version,
    architecture,
    sha256,
    size: fc.integer({ min: 1, max: 1_000_000 }),
    signature,
  }),
  fc.record({
    kind: fc.constant("log.tail" as const),
    source: fc.oneof(
      fc.record({ from: fc.constant("journal" as const), unit }),
      fc.record({ from: fc.constant("file" as const), path }),
    ),
    lines: fc.integer({ min: 1, max: 10_000 }),
  }),
);

const node = chars("0123456789abcdefghjkmnpqrstvwxyz", 26, 26).map((end) => `node_${end}`);
const state = fc.oneof(fc.constant("absent" as const), sha256);

const section = fc.record({ node, operations: fc.array(anyOperation, { minLength: 1, maxLength: 4 }) });

export const anyDraft: fc.Arbitrary<PlanDraft> = fc.record({
  title: line,
  summary: line,
  sections: fc.uniqueArray(section, { minLength: 1, maxLength: 4, selector: (one) => one.node }),
});

const source = fc.oneof(
  fc.constant({ from: "person" as const }),
  fc.record({
    from: fc.constant("plugin" as const),
    plugin: chars(lower, 2, 12),
    version: fc.constant("1.2.3"),
    artifactSha256: sha256,
    inputSha256: sha256,
  }),
);

/** What hosts may have told: each part of each node has a state of its own. */
export const anyFindState: fc.Arbitrary<FindState> = fc.array(state, { minLength: 4, maxLength: 4 }).map((told) => {
  const known = new Map<string, Precondition["state"]>();
  return (id, subject) => {
    const part = `${id} ${subject}`;
    const found = known.get(part) ?? told[known.size % told.length] ?? "absent";
    known.set(part, found);
    return found;
  };
});

export const anyPlan: fc.Arbitrary<PlanDocument> = fc
  .tuple(anyDraft, source, anyFindState)
  .map(([draft, from, findState]) => finishPlan(draft, from, findState));

function masked(bytes: Uint8Array, length: number): Uint8Array {
  return bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, length - index * 8))));
}
