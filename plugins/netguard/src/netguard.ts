import { definePlugin, readInputWith } from "@gatehouse/plugin-sdk";
import { netguardInput } from "./input.ts";
import { planFirewall } from "./plan-firewall.ts";

export const version = "0.2.1";

/** Draws up nftables firewalls. It answers three questions and touches no host; its plans are reviewed like any other. */
export const netguard = definePlugin({
  describe: () => ({
    name: "Netguard",
    version,
    summary: "Firewalls from zones and services, in a table of their own, with SSH and the control path kept open.",
  }),
  // It depends on nothing but its question: where it runs, it works.
  health: () => ({ status: "ok" as const }),
  readInput: readInputWith(netguardInput),
  plan: planFirewall,
});
