import type { LintSeverity } from "@gatehouse/contract";
import type { AgentState, SshState, TrustState, WireguardState } from "./states.ts";

/** Every finding there is, by its stable name. docs/operate/plans.md has the same table. */
export const lintCodes = {
  "firewall.answers_cut": {
    severity: "refuse",
    means: "answers to connections that the host itself opened would not come in",
  },
  "firewall.answers_partly": {
    severity: "warn",
    means: "a rule for some networks drops answers that come from them",
  },
  "firewall.ssh_cut": {
    severity: "refuse",
    means: "somebody who is connected over SSH now, or a management network, would be shut out",
  },
  "firewall.ssh_closed": { severity: "refuse", means: "nobody at all could connect over SSH" },
  "firewall.ssh_unjudged": {
    severity: "warn",
    means: "nobody told from where SSH is used, so that nothing more than the above was judged",
  },
  "firewall.control_cut": {
    severity: "refuse",
    means: "the Gatehouse server on this host could not be reached from everywhere",
  },
  "firewall.control_partly": {
    severity: "warn",
    means: "a rule for some networks shuts them out of the Gatehouse server on this host",
  },
  "firewall.loopback_cut": { severity: "warn", means: "programs on the host could not all reach each other" },
  "firewall.neighbours_cut": {
    severity: "warn",
    means: "IPv6 neighbours could not find the host: IPv6 stops some minutes after the change",
  },
  "firewall.network_unread": {
    severity: "warn",
    means: "a management network is not written as one, and was not judged",
  },
  "firewall.other_tables": {
    severity: "note",
    means: "other tables of the host, and forwarded traffic, are not judged",
  },
  "wireguard.foreign": {
    severity: "refuse",
    means:
      "the interface has another key than the one that Gatehouse keeps for it, or preshared keys: it is somebody else's",
  },
  "wireguard.key": { severity: "refuse", means: "the plan expects another key than the host has" },
  "wireguard.endpoint_inside": {
    severity: "refuse",
    means:
      "the endpoint of a peer lies in what the interface leads to, or another one of the section: its packets would go into a tunnel",
  },
  "wireguard.peer_self": {
    severity: "refuse",
    means: "a peer has the key of the host itself: WireGuard leaves it out, and the change would be taken back",
  },
  "wireguard.ssh_cut": {
    severity: "refuse",
    means:
      "answers to somebody who is connected over SSH now, or to a management network, would go into the tunnel, or to another peer of it",
  },
  "wireguard.reach_public": {
    severity: "warn",
    means:
      "the interface leads to public networks: hosts that keep something open from everywhere, as they do unless their root says otherwise, will refuse it",
  },
  "wireguard.peer_unknown": {
    severity: "warn",
    means: "no host of the plan has signed the key of a peer: whoever has that key is let in",
  },
  "file.equals_root": { severity: "warn", means: "what is written there can make its writer root of the host" },
  "service.not_undone": { severity: "note", means: "a restart cannot be undone" },
  "agent.architecture": {
    severity: "refuse",
    means: "the release is for another processor than the agent of the host",
  },
  "agent.not_later": {
    severity: "refuse",
    means: "the agent of the host is of that version already, or of a later one",
  },
  "agent.alone": { severity: "refuse", means: "an update of the agent has to be all that a section does" },
  "log.leaves": { severity: "note", means: "lines of a log leave the host and are kept by the server" },
  "section.subject_twice": { severity: "warn", means: "the section replaces one part of the host twice" },
  "host.takes_none": { severity: "warn", means: "root of the host lets nobody approve changes: it will refuse" },
  "host.server_trusted": {
    severity: "note",
    means: "the host takes this server's word, without an approver's signature",
  },
} as const satisfies Record<string, { readonly severity: LintSeverity; readonly means: string }>;

export type LintCode = keyof typeof lintCodes;

/** What a firewall is asked about. */
export interface LintPacket {
  readonly protocol: "tcp" | "udp" | "icmpv6";
  /** Of icmpv6 only. */
  readonly type?: "nd-neighbor-advert" | "nd-neighbor-solicit";
  /** A network, or one address as a network. */
  readonly source: string;
  /** Null: any port that a program of the host may have, or a protocol without ports. */
  readonly port: number | null;
  /** `untracked`: what no connection tracking sees, such as neighbour discovery. */
  readonly state: "new" | "established" | "untracked";
  /** Which one a packet from outside comes in on is not known. */
  readonly interface: "lo" | "outside";
}

export interface LintFinding {
  readonly severity: LintSeverity;
  readonly code: LintCode;
  readonly says: string;
  readonly packet?: LintPacket;
}

/** What is known around the operation. Not a part of the plan: who comes and goes makes no plan stale. */
export interface LintAround {
  /** Null: the host did not tell. */
  readonly ssh: SshState | null;
  /** Networks from which the host is managed; may be empty. */
  readonly management: readonly string[];
  /** How the host lets changes be approved; null or absent: it did not tell. */
  readonly accepts?: TrustState["accepts"] | null;
  /** What the host told of its agent; absent: it did not tell. */
  readonly agent?: AgentState;
  /** What the host told of its WireGuard interfaces, by their names; absent: nobody knows. */
  readonly wireguard?: Readonly<Record<string, WireguardState>>;
  /** Public keys that the hosts of the plan have signed as theirs; absent: nobody knows. */
  readonly hostKeys?: readonly string[];
  /** TCP ports on which this host carries the Gatehouse server or its proxy; usually none. */
  readonly controlPorts: readonly number[];
}

export function lintFinding(code: LintCode, says: string, packet?: LintPacket): LintFinding {
  const { severity } = lintCodes[code];
  return packet === undefined ? { severity, code, says } : { severity, code, says, packet };
}

const stateWords = { new: "new connection", established: "open connection", untracked: "no connection" } as const;

/** "tcp from 198.51.100.7 to port 22 (new connection)". */
export function packetWords({ protocol, type, source, port, state, interface: name }: LintPacket): string {
  const what = type === undefined ? protocol : `${protocol} ${type}`;
  const from = source.replace(/^([0-9.]+)\/32$|^([0-9a-f:]+)\/128$/, "$1$2");
  const to = port === null ? "" : ` to port ${port}`;
  return `${what} from ${from}${to}${name === "lo" ? " over the interface lo" : ""} (${stateWords[state]})`;
}
