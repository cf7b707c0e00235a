import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { networksOfRange, rangeOfPrefix } from "../../address-ranges.ts";
import { findNetwork, type Prefix } from "../../addresses.ts";
import { smallChain, smallNetworks } from "./firewall-cases.ts";
import type { FirewallChain } from "./firewall-table.ts";
import type { FirewallRule } from "./rule.ts";
import { type WalkedPacket, walkChain } from "./walk.ts";

/** Every address of the small universe that rules can tell apart, and one that only the widest networks hold. */
const addresses = {
  4: [...Array.from({ length: 8 }, (_, index) => `10.0.0.${index}/32`), "192.0.2.1/32"],
  6: ["fd00::/128", ...Array.from({ length: 3 }, (_, index) => `fd00::${index + 1}/128`), "2001:db8::1/128"],
} as const;

interface OnePacket {
  readonly source: string;
  readonly protocol: string;
  readonly port: number | null;
  readonly state: string;
  readonly type?: string | undefined;
  readonly interface: string;
}

/** What nft does with one packet whose every field is known: rule after rule, the first that matches. */
function fateOf({ policy, rules }: FirewallChain, packet: OnePacket): string {
  const first = rules.find((rule) => matches(rule, packet));
  return first?.verdict ?? policy;
}

function matches(rule: FirewallRule, packet: OnePacket): boolean {
  const { protocol, sources, states, types, ports, interfaces } = rule;
  const within = (network: string) => {
    const [inner, outer] = [findNetwork(packet.source), findNetwork(network)] as [Prefix, Prefix];
    if (inner.family !== outer.family) return false;
    const [a, b] = [rangeOfPrefix(inner), rangeOfPrefix(outer)];
    return b.from <= a.from && a.to <= b.to;
  };
  return (
    (protocol === undefined || protocol === packet.protocol) &&
    (sources === undefined || sources.some(within)) &&
    (states === undefined || states.some((state) => state === packet.state)) &&
    (types === undefined || types.some((type) => type === packet.type)) &&
    (ports === undefined ||
      ports.some(({ from, to }) => packet.port !== null && from <= packet.port && packet.port <= to)) &&
    (interfaces === undefined || interfaces.includes(packet.interface))
  );
}

const packets: fc.Arbitrary<WalkedPacket> = fc.oneof(
  fc.record({
    protocol: fc.constantFrom("tcp" as const, "udp" as const),
    state: fc.constantFrom("new" as const, "established" as const),
    interface: fc.constantFrom("lo" as const, "outside" as const),
    ports: fc.constantFrom({ from: 22, to: 22 }, { from: 22, to: 24 }),
  }),
  fc.record({
    protocol: fc.constant("icmpv6" as const),
    type: fc.constantFrom("nd-neighbor-solicit" as const, "nd-neighbor-advert" as const),
    state: fc.constant("untracked" as const),
    interface: fc.constant("outside" as const),
    ports: fc.constant(null),
  }),
);

/** Every packet that the question could mean. */
function* meant(packet: WalkedPacket, inside: readonly string[]): Generator<OnePacket> {
  const { ports } = packet;
  const one = ports === null ? [null] : Array.from({ length: ports.to - ports.from + 1 }, (_, at) => ports.from + at);
  for (const source of inside)
    for (const port of one)
      for (const name of packet.interface === "lo" ? ["lo"] : ["eth0", "wg0", "eth9"])
        yield { source, port, protocol: packet.protocol, state: packet.state, type: packet.type, interface: name };
}

const cases = fc.record({ chain: smallChain, packet: packets, network: fc.constantFrom(...smallNetworks) });
const small = ({ network }: { readonly network: string }) => {
  const prefix = findNetwork(network) as Prefix;
  const range = rangeOfPrefix(prefix);
  const inside = addresses[prefix.family].filter((text) => {
    const { from } = rangeOfPrefix(findNetwork(text) as Prefix);
    return range.from <= from && from <= range.to;
  });
  return { family: prefix.family, range, inside };
};

describe("a walk beside nft's own order, packet by packet", () => {
  test("says that all is accepted only when every single packet is", () => {
    let whole = 0;
    fc.assert(
      fc.property(cases, ({ chain, packet, network }) => {
        const { family, range, inside } = small({ network });
        const { lost } = walkChain(chain, family, [range])(packet, "against")(range);
        if (lost.length > 0) return;
        whole += 1;
        for (const one of meant(packet, inside)) expect(fateOf(chain, one)).toBe("accept");
      }),
      { numRuns: 2_000, seed: 11 },
    );
    expect(whole).toBeGreaterThan(200);
  });

  test("says that something may come in whenever one packet does", () => {
    let closed = 0;
    fc.assert(
      fc.property(cases, ({ chain, packet, network }) => {
        const { family, range, inside } = small({ network });
        const { accepted } = walkChain(chain, family, [range])(packet, "for")(range);
        if (accepted) return;
        closed += 1;
        for (const one of meant(packet, inside)) expect(fateOf(chain, one)).not.toBe("accept");
      }),
      { numRuns: 2_000, seed: 12 },
    );
    expect(closed).toBeGreaterThan(200);
  });

  test("is exact where no rule leaves a doubt: the same packets are lost, by the same rule", () => {
    fc.assert(
      fc.property(cases, ({ chain: { policy, rules }, packet, network }) => {
        const chain = { policy, rules: rules.filter(({ interfaces }) => interfaces === undefined) };
        const exact: WalkedPacket = packet.ports === null ? packet : { ...packet, ports: { from: 22, to: 22 } };
        const { family, range, inside } = small({ network });
        const { accepted, lost } = walkChain(chain, family, [range])(exact, "against")(range);
        const fates = [...meant(exact, inside)].map((one) => ({
          fate: fateOf(chain, one),
          rule: chain.rules.find((rule) => matches(rule, one)) ?? null,
        }));
        const refused = fates.filter(({ fate }) => fate !== "accept").map(({ rule }) => rule);
        expect(accepted).toBe(refused.length < fates.length);
        expect(new Set(lost.map(({ rule }) => rule))).toEqual(new Set(refused));
        // The first addresses that are named are hit by that very rule.
        for (const { rule, part } of lost) {
          for (const source of networksOfRange(part, family).filter((text) => inside.includes(text as never))) {
            const [one] = meant(exact, [source]);
            expect(chain.rules.find((each) => one !== undefined && matches(each, one)) ?? null).toBe(rule);
          }
        }
      }),
      { numRuns: 2_000, seed: 13 },
    );
  });
});

test("the longest chain that a plan may hold is walked to its end", () => {
  const rules = Array.from(
    { length: 512 },
    (_, high): FirewallRule => ({
      label: `rule ${high}`,
      verdict: high % 2 === 0 ? "accept" : "drop",
      sources: Array.from({ length: 256 }, (_unused, low) => `10.${high >> 1}.${low}.${(high & 1) * 2}/32`),
    }),
  );
  const all = { from: 0n, to: (1n << 32n) - 1n };
  const walk = walkChain({ policy: "accept", rules }, 4, [all]);
  const packet: WalkedPacket = { protocol: "tcp", state: "new", interface: "outside", ports: { from: 22, to: 22 } };
  expect(walk(packet, "against")(all)).toMatchObject({ accepted: true });
  expect(walk(packet, "against")(all).lost).toHaveLength(256);
});
