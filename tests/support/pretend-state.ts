import type { SubjectState } from "@gatehouse/channel";

/** What a host says of one of its parts; null when it has no such part. */
export type TellState = (subject: string) => SubjectState["state"];

/**
 * A host as plans find it: SSH on port 22 with somebody connected, nginx as a service, one firewall table with four rules, an agent
 * for x64, and a file, a program and a WireGuard interface wherever one is asked for. It has nothing else.
 */
export const pretendState: TellState = (subject) => {
  if (subject === "host:ssh") return { peers: ["198.51.100.7"], ports: [22] };
  if (subject === "service:nginx.service") return { enabled: "enabled", fragmentSha256: "5e".repeat(32) };
  if (subject === `firewall:${table}`) return { nftables: tableRows };
  if (subject === "agent:self") return { architecture: "x64", sha256: "a".repeat(64), version: "0.2.1-alpha.1" };
  if (subject.startsWith("file:")) return { group: "root", mode: "0644", owner: "root", sha256: "c4".repeat(32) };
  if (subject.startsWith("binary:")) return { group: "root", mode: "0755", owner: "root", sha256: "b1".repeat(32) };
  if (subject.startsWith("wireguard:")) return { publicKey: wireguardKey, interface: wireguardLink };
  return null;
};

/** The same host, whose root has also said whose word it takes. */
export const trustsServer: TellState = (subject) =>
  subject === "host:trust" ? { accepts: "server", trust: null } : pretendState(subject);

/** The same host, which keeps this key for every WireGuard interface that it is asked for, and has none yet. */
export function keepsKey(publicKey: string, tell: TellState = trustsServer): TellState {
  return (subject) => (subject.startsWith("wireguard:") ? { interface: null, publicKey } : tell(subject));
}

type Value = NonNullable<ReturnType<TellState>>[string];

const wireguardKey = `${"h".repeat(42)}A=`;
const wireguardLink: Value = {
  publicKey: wireguardKey,
  listenPort: 51_820,
  mtu: 1_420,
  firewallMark: 0,
  isUp: true,
  addresses: ["10.9.0.1/24"],
  routes: ["10.20.0.0/16"],
  peers: [
    {
      publicKey: `${"p".repeat(42)}A=`,
      allowedIps: ["10.20.0.0/16", "10.9.0.2/32"],
      keepaliveSeconds: 25,
      hasPresharedKey: false,
    },
  ],
};

const table = "gatehouse_edge";
const inTable = { family: "inet", table };
const rule = (comment: string, ...expr: Value[]): Value => ({ rule: { ...inTable, chain: "input", comment, expr } });
const isEqual = (left: Value, right: Value): Value => ({ match: { op: "==", left, right } });
const portOf = (protocol: string): Value => ({ payload: { protocol, field: "dport" } });

/** As `nft -j list table` tells it, without handles. */
const tableRows: Value[] = [
  { table: { family: "inet", name: table } },
  { chain: { ...inTable, name: "input", type: "filter", hook: "input", prio: 0, policy: "drop" } },
  rule("loopback", isEqual({ meta: { key: "iifname" } }, "lo"), { accept: null }),
  rule("answers", isEqual({ ct: { key: "state" } }, { set: ["established", "related"] }), { accept: null }),
  rule("ssh", isEqual(portOf("tcp"), 22), { accept: null }),
  rule("web", isEqual(portOf("tcp"), { set: [80, 443] }), { accept: null }),
];
