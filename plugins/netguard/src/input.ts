import { nodeId, sha256Hex } from "@gatehouse/contract";
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

const node = z.strictObject({
  id: nodeId,
  /** SSH stays reachable on these ports; from the zones named, or from anywhere. */
  ssh: z.strictObject({ ports, from: zones.optional() }),
  /** Ports on which this host itself is the control server or its proxy. Hosts that only run an agent have none: they call out. */
  control: z.strictObject({ ports }).optional(),
  allow: z.array(z.strictObject({ service: name, from: zones })).max(64),
  /** The firewall table as it was found, or that there was none. */
  state: z.union([z.literal("absent"), sha256Hex]),
});

/** The recorded input of a plan. */
export const netguardInput = z.strictObject({
  zones: z.record(name, zone).refine((all) => !Object.hasOwn(all, "any"), "must not define any: it is everybody"),
  services: z.record(name, service),
  nodes: z
    .array(node)
    .min(1)
    .max(500)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "must not name a node twice"),
});

export type NetguardInput = z.output<typeof netguardInput>;
export type NetguardNode = NetguardInput["nodes"][number];
