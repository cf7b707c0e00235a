import type { FirewallApply, FirewallRule } from "@gatehouse/plan";

/** The tables that the lab's plans make. */
export const labTable = "gatehouse_lab";

const everyHost: readonly FirewallRule[] = [
  { label: "loopback", verdict: "accept", interfaces: ["lo"] },
  {
    label: "neighbours",
    verdict: "accept",
    protocol: "icmpv6",
    types: ["nd-neighbor-solicit", "nd-neighbor-advert"],
  },
  openFor("ssh", 22),
];
const answers: FirewallRule = { label: "answers", verdict: "accept", states: ["established", "related"] };

/** A firewall that a host can live with: SSH, answers, and one port more. */
export function firewallWith(port: number, table = labTable): FirewallApply {
  const rules = [answers, ...everyHost, openFor("service", port)];
  return { kind: "firewall.apply", table, input: { policy: "drop", rules } };
}

function openFor(label: string, port: number): FirewallRule {
  return { label, verdict: "accept", protocol: "tcp", ports: [{ from: port, to: port }] };
}
