import type { Node } from "@gatehouse/contract/routes";

type Changes = Partial<Omit<Node, "facts">> & { readonly facts?: Partial<NonNullable<Node["facts"]>> | null };

/** A node that is there, with what differs from that. */
export function sampleNode({ facts, ...changes }: Changes = {}): Node {
  return {
    id: `node_${"0".repeat(25)}1`,
    name: "web-1",
    tags: ["web"],
    notes: "",
    state: "online",
    since: "2026-11-16T02:58:10.000Z",
    lastSeenAt: "2026-11-16T03:12:30.000Z",
    address: "192.0.2.1",
    rival: null,
    clockSkewMs: 40,
    hostname: "web-1",
    hostKey: "k".repeat(43),
    place: null,
    enrolledAt: "2026-11-15T10:00:00.000Z",
    enrolledBy: "usr_1",
    revokedAt: null,
    drift: null,
    facts:
      facts === null
        ? null
        : {
            agentVersion: "1.0.0",
            agentSha256: "a".repeat(64),
            arch: "x64",
            hostname: "web-1",
            kernel: "6.12.0",
            os: "Debian GNU/Linux 13",
            mode: "monitor",
            ceilingDigest: "c".repeat(64),
            trustDigest: null,
            accepts: "none",
            ceiling: '{\n  "level": "monitor"\n}\n',
            addresses: ["192.0.2.1", "2001:db8::1"],
            units: [{ name: "gatehouse-agent.service", state: "active" }],
            receivedAt: "2026-11-16T02:58:11.000Z",
            ...facts,
          },
    ...changes,
  };
}
