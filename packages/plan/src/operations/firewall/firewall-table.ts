import * as z from "zod";
import { firewallRule } from "./rule.ts";

const chain = z.strictObject({
  policy: z.enum(["accept", "drop"]),
  rules: z.array(firewallRule).max(512),
});
export type FirewallChain = z.output<typeof chain>;

/** One nftables table of the family inet. Rules are typed; no text of a ruleset travels in a plan. */
export const firewallTable = z.strictObject({
  kind: z.literal("firewall.apply"),
  table: z.string().regex(/^gatehouse_[a-z][a-z0-9_]{0,30}$/, "must be a table of Gatehouse: gatehouse_ and a name"),
  input: chain,
  forward: chain.optional(),
});
export type FirewallApply = z.output<typeof firewallTable>;
