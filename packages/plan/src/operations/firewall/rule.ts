import * as z from "zod";
import { findNetwork, networksOf } from "../../addresses.ts";
import { interfaceName, isDistinct, port } from "../../fields.ts";

/** Types by the names nftables gives them. */
export const icmpTypes = [
  "destination-unreachable",
  "echo-reply",
  "echo-request",
  "parameter-problem",
  "time-exceeded",
] as const;
export const icmpv6Types = [
  ...icmpTypes,
  "mld-listener-done",
  "mld-listener-query",
  "mld-listener-report",
  "mld2-listener-report",
  "nd-neighbor-advert",
  "nd-neighbor-solicit",
  "nd-router-advert",
  "nd-router-solicit",
  "packet-too-big",
] as const;
const protocols = ["tcp", "udp", "icmp", "icmpv6"] as const;

const portRange = z
  .strictObject({ from: port, to: port })
  .refine(({ from, to }) => from <= to, "must be a range from the lower port to the higher");

/** Every condition that is given must hold; a rule without conditions is for everything. */
export const firewallRule = z
  .strictObject({
    /** What a reviewer and `nft list` show beside the rule. */
    label: z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ._:/-]{0,62}[A-Za-z0-9])?$/, "must be 1 to 64 plain characters"),
    verdict: z.enum(["accept", "drop", "reject"]),
    interfaces: z.array(interfaceName).min(1).max(16).refine(isDistinct, "must not name one twice").optional(),
    sources: networksOf(256).optional(),
    states: z
      .array(z.enum(["new", "established", "related", "invalid"]))
      .min(1)
      .refine(isDistinct, "must not name one twice")
      .optional(),
    protocol: z.enum(protocols).optional(),
    ports: z
      .array(portRange)
      .min(1)
      .max(64)
      .refine(
        (ranges) => ranges.every(({ from }, index) => index === 0 || from > (ranges[index - 1]?.to ?? 0)),
        "must be in rising order and must not overlap",
      )
      .optional(),
    types: z.array(z.enum(icmpv6Types)).min(1).refine(isDistinct, "must not name one twice").optional(),
  })
  .superRefine((rule, context) => {
    const wrong = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    const { protocol, ports, types, sources } = rule;
    if (ports !== undefined && protocol !== "tcp" && protocol !== "udp") wrong("ports", "must come with tcp or udp");
    const known: readonly string[] = protocol === "icmp" ? icmpTypes : protocol === "icmpv6" ? icmpv6Types : [];
    if (types?.some((type) => !known.includes(type)) === true) wrong("types", "must be types of the rule's protocol");
    const family = protocol === "icmp" ? 4 : protocol === "icmpv6" ? 6 : undefined;
    const foreign = sources?.some((text) => family !== undefined && findNetwork(text)?.family !== family) ?? false;
    if (foreign) wrong("sources", "must be networks of the protocol's family");
  });

export type FirewallRule = z.output<typeof firewallRule>;
