import { countOf, sayList } from "../../say.ts";
import type { FirewallApply, FirewallChain } from "./firewall-table.ts";
import { renderPorts } from "./render.ts";
import type { FirewallRule } from "./rule.ts";

/** The table in sentences: what becomes of traffic as a whole, then each rule in the order in which they decide. */
export function firewallWords({ table, input, forward }: FirewallApply): string[] {
  return [
    `Replaces the firewall table ${table}: ${chainWords(input, " for incoming traffic")}.`,
    ...input.rules.map(ruleWords),
    ...(forward === undefined
      ? ["Forwarded and outgoing traffic is not filtered by this table."]
      : [
          `Forwarded traffic: ${chainWords(forward, "")}.`,
          ...forward.rules.map(ruleWords),
          "Outgoing traffic is not filtered by this table.",
        ]),
  ];
}

function chainWords({ policy, rules }: FirewallChain, traffic: string): string {
  const rest = policy === "drop" ? "dropped" : "accepted";
  if (rules.length === 0) return `no rules${traffic}, everything is ${rest}`;
  return `${countOf(rules.length, "rule")}${traffic}, everything else is ${rest}`;
}

const verbs = { accept: "Accepts", drop: "Drops", reject: "Rejects" } as const;
const stateNames = {
  new: "new connections",
  established: "open connections",
  related: "related connections",
  invalid: "packets of no known connection",
} as const;

/** "Accepts tcp 22 from 10.0.0.0/8 (new connections): ssh from office." Nothing is left out, however long it gets. */
function ruleWords(rule: FirewallRule): string {
  const { verdict, interfaces, sources, states, label } = rule;
  const parts = [
    `${verbs[verdict]} ${trafficWords(rule)}`,
    sources === undefined ? "" : ` from ${sayList(sources, "or")}`,
    interfaces === undefined ? "" : ` on ${sayList(interfaces, "or")}`,
    states === undefined ? "" : ` (${sayList(states.map((state) => stateNames[state]))})`,
  ];
  return `${parts.join("")}: ${label}.`;
}

function trafficWords({ protocol, ports, types }: FirewallRule): string {
  if (protocol === undefined) return "everything";
  if (ports !== undefined) {
    return `${protocol} ${ports.map(renderPorts).join(", ")}`;
  }
  return types === undefined ? `all ${protocol}` : `${protocol} ${types.join(", ")}`;
}
