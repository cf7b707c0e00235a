import type { FirewallRule } from "@gatehouse/plan";

/**
 * What every host keeps open before anything else is decided. Without these a host loses its answers, its neighbours or the
 * sizes its packets may have, and IPv6 stops working minutes after the change (RFC 4890).
 */
export const baseRules: readonly FirewallRule[] = [
  { label: "loopback", verdict: "accept", interfaces: ["lo"] },
  // Before the rule on invalid packets: neighbour discovery has no connection that could be tracked.
  {
    label: "icmpv6 neighbours and routers",
    verdict: "accept",
    protocol: "icmpv6",
    types: ["nd-neighbor-advert", "nd-neighbor-solicit", "nd-router-advert", "nd-router-solicit"],
  },
  {
    label: "icmpv6 multicast listeners",
    verdict: "accept",
    protocol: "icmpv6",
    types: ["mld-listener-done", "mld-listener-query", "mld-listener-report", "mld2-listener-report"],
  },
  { label: "answers", verdict: "accept", states: ["established", "related"] },
  { label: "not a connection", verdict: "drop", states: ["invalid"] },
  {
    label: "icmpv6 errors and pings",
    verdict: "accept",
    protocol: "icmpv6",
    types: ["destination-unreachable", "echo-request", "packet-too-big", "parameter-problem", "time-exceeded"],
  },
  {
    label: "icmp errors and pings",
    verdict: "accept",
    protocol: "icmp",
    types: ["destination-unreachable", "echo-request", "parameter-problem", "time-exceeded"],
  },
  // The answer comes from another address than was asked, so it is no answer to the tracker.
  {
    label: "dhcpv6 answers",
    verdict: "accept",
    sources: ["fe80::/10"],
    protocol: "udp",
    ports: [{ from: 546, to: 546 }],
  },
];
