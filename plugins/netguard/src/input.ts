import { nodeTag } from "@gatehouse/contract";
import { interfaceName, networksOf, port } from "@gatehouse/plan";
import { z } from "@gatehouse/plugin-sdk";

/** Short enough that "<service> from <zone>" fits beside a rule. */
const name = z.string().regex(/^[a-z][a-z0-9-]{0,23}$/, "must be 1 to 24 of a-z, 0-9 and -, beginning with a letter");

/** Who asks: networks, interfaces, or both at once. `any` is everybody and is always there. */
const zone = z
  .strictObject({
    sources: networksOf(256).optional(),
    interfaces: z.array(interfaceName).min(1).max(16).optional(),
  })
  .refine(
    ({ sources, interfaces }) => sources !== undefined || interfaces !== undefined,
    "must have sources or interfaces",
  );

const portRange = z
  .strictObject({ from: port, to: port })
  .refine(({ from, to }) => from <= to, "must be a range from the lower port to the higher");

/** What is asked for. */
const service = z.strictObject({ protocol: z.enum(["tcp", "udp"]), ports: z.array(portRange).min(1).max(32) });

const ports = z.array(port).min(1).max(8);
const zones = z.array(name).min(1).max(32);

const tags = z.array(nodeTag).min(1).max(32);

/** The recorded input of a plan. The nodes it is for come with the question; tags say what holds for which of them. */
export const netguardInput = z.strictObject({
  zones: z.record(name, zone).refine((all) => !Object.hasOwn(all, "any"), "must not define any: it is everybody"),
  services: z.record(name, service),
  /** SSH stays reachable on these ports of every node; from the zones named, or from anywhere. */
  ssh: z.strictObject({ ports, from: zones.optional() }),
  /** What is opened besides: on every node, or on those that have one of the tags. */
  allow: z.array(z.strictObject({ service: name, from: zones, tags: tags.optional() })).max(128),
  /**
   * Ports on which a host itself is the control server or its proxy, on the nodes that have one of the tags. Hosts that only run an
   * agent have none: they call out.
   */
  control: z.strictObject({ ports, tags }).optional(),
});

export type NetguardInput = z.output<typeof netguardInput>;
