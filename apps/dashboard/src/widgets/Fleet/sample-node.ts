import type { AcceptsMode, Node } from "@gatehouse/contract/routes";

type Changes = Partial<Omit<Node, "facts">> & Partial<NonNullable<Node["facts"]>>;

/** A whole node for tests that look at a field or two, and for the gallery; fields of its facts are given beside its own. */
export function sampleNode(changes: Changes = {}): Node {
  const own = {
    id: "node_0123456789abcdefghjkmnpqrs",
    name: "fra1-edge-03",
    tags: ["edge", "public"],
    notes: "",
    state: "online",
    since: "2026-11-17T02:49:00.000Z",
    lastSeenAt: "2026-11-17T03:12:00.000Z",
    address: "203.0.113.31",
    rival: null,
    clockSkewMs: 12,
    hostname: "host-7",
    hostKey: "A".repeat(43),
    place: null,
    enrolledAt: "2026-06-04T10:19:00.000Z",
    enrolledBy: "usr_1",
    revokedAt: null,
    drift: null,
  } as const;
  const facts = {
    agentVersion: "0.2.1",
    agentSha256: "9c41e8d0".repeat(8),
    arch: "x64",
    hostname: "host-7",
    kernel: "6.12.11",
    os: "Debian GNU/Linux 13",
    mode: "monitor",
    ceilingDigest: "c2a790be".repeat(8),
    ceiling: '{"level":"monitor","schema":1}',
    trustDigest: null as string | null,
    accepts: "none" as AcceptsMode,
    addresses: ["203.0.113.31"],
    units: [],
    receivedAt: "2026-11-17T02:49:01.000Z",
  };
  const pick = <Of extends object>(of: Of): Of =>
    Object.fromEntries(
      Object.entries(of).map(([key, value]) => [key, key in changes ? changes[key as keyof Changes] : value]),
    ) as Of;
  return { ...pick({ ...own, tags: [...own.tags] }), facts: pick(facts) };
}
