import * as z from "zod";
import { defineOperation } from "../descriptor.ts";
import { firewallRule } from "./rule.ts";

const chain = z.strictObject({
  policy: z.enum(["accept", "drop"]),
  rules: z.array(firewallRule).max(512),
});

/**
 * Replaces one nftables table of the family inet, and never another: its name begins with `gatehouse_`. Rules are typed; no
 * text of a ruleset travels in a plan. Outgoing traffic is not filtered, so a host can always reach its control server.
 */
export const firewallApply = defineOperation({
  kind: "firewall.apply",
  capability: "host:firewall",
  says: "Replaces a firewall table of its own.",
  schema: z.strictObject({
    kind: z.literal("firewall.apply"),
    table: z.string().regex(/^gatehouse_[a-z][a-z0-9_]{0,30}$/, "must be a table of Gatehouse: gatehouse_ and a name"),
    input: chain,
    forward: chain.optional(),
  }),
  subject: ({ table }) => `firewall:${table}`,
});

export type FirewallApply = z.output<typeof firewallApply.schema>;
