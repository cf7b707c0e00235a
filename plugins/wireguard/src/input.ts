import { nodeId } from "@gatehouse/contract";
import {
  address,
  hasRoomFor,
  networksIn,
  overlaps,
  port,
  tunnelNetworks,
  tunnelRanges,
  wireguardName,
} from "@gatehouse/plan";
import { z } from "@gatehouse/plugin-sdk";

/** A plan of a mesh grows with the square of its nodes, and must stay within what a plugin may answer. */
export const mostNodes = { mesh: 64, hub: 400 } as const;

const node = z.strictObject({
  id: nodeId,
  /** Its number in the network's ranges; it keeps its addresses when others come and go. */
  number: z.int().min(1).max(65_534),
  /** Where others reach it. Without one it is behind a router and calls others. */
  endpoint: z.strictObject({ host: address, port }).optional(),
  /** Networks behind the node that others reach through it. */
  routes: tunnelNetworks(32).optional(),
});

/** What one peer may be sent; around a hub everything goes to one. */
const mostNetworks = 256;

/**
 * The recorded input of a plan. A network is of all its nodes: the question names the same ones, and has their names and the public
 * keys that their hosts have told. No key stands here.
 */
export const wireguardInput = z
  .strictObject({
    network: z.strictObject({
      name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "must be 1 to 32 of a-z, 0-9 and -, beginning with a letter"),
      interface: wireguardName,
      ranges: tunnelRanges(2),
      listenPort: port,
      mtu: z.int().min(1_280).max(9_000).optional(),
      /** Everybody with everybody, or everybody with one node. */
      shape: z.discriminatedUnion("form", [
        z.strictObject({ form: z.literal("mesh") }),
        z.strictObject({ form: z.literal("hub"), hub: nodeId }),
      ]),
    }),
    nodes: z.array(node).min(2).max(mostNodes.hub),
  })
  .superRefine(({ network, nodes }, context) => {
    const wrong = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    const most = mostNodes[network.shape.form];
    if (nodes.length > most) wrong(["nodes"], `must be at most ${most} in a ${network.shape.form}`);
    for (const field of ["id", "number"] as const) {
      const values = nodes.map((one) => one[field]);
      if (new Set(values).size < values.length) wrong(["nodes"], `must not have one ${field} twice`);
    }
    const ranges = networksIn(...network.ranges);
    for (const [index, { number }] of nodes.entries()) {
      const fits = ranges.every((range) => hasRoomFor(range, number));
      if (!fits) wrong(["nodes", index, "number"], "must fit into every range of the network");
    }
    const all = [...ranges, ...networksIn(...nodes.flatMap(({ routes = [] }) => routes))];
    const clash = all.some((one, index) => all.slice(index + 1).some((other) => overlaps(one, other)));
    if (network.shape.form === "hub" && all.length > mostNetworks)
      wrong(["nodes"], `must have at most ${mostNetworks} routes and ranges together`);
    if (clash) wrong(["nodes"], "must have routes that overlap neither each other nor the network's ranges");
  });

export type WireguardInput = z.output<typeof wireguardInput>;
export type WireguardNode = WireguardInput["nodes"][number];
