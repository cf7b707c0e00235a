import * as z from "zod";
import { mapLine } from "../broker/plugin-actions.ts";
import { nodeId } from "../node-id.ts";
import { latitude, longitude, type Placeless, placeless, placeSources } from "../places.ts";
import { limitOf, listOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";

export const nodePlace = z
  .strictObject({
    node: z.string(),
    place: z
      .strictObject({
        latitude,
        longitude,
        label: z.string().nullable(),
        from: z.enum(placeSources).meta({ description: "Set by hand, or looked up by the host's address." }),
      })
      .nullable(),
    why: z
      .enum(Object.keys(placeless) as [Placeless, ...Placeless[]])
      .nullable()
      .meta({ description: "Why it has no place; null when it has one." }),
  })
  .meta({ id: "NodePlace" });
export type NodePlace = z.output<typeof nodePlace>;

export const placeLookup = z
  .strictObject({
    service: z.string().nullable().meta({ description: "The host that is asked; null when lookup is off." }),
    waiting: z
      .int()
      .meta({ description: "Addresses that are still to be asked for, of nodes that the caller may see." }),
    trouble: z
      .string()
      .nullable()
      .meta({ description: "What went wrong with the last question; null when it was answered." }),
    answeredAt: z.iso.datetime().nullable().meta({ description: "When the service last answered." }),
  })
  .meta({ id: "PlaceLookup" });
export type PlaceLookup = z.output<typeof placeLookup>;

export const placesRoute = {
  method: "GET",
  path: "/api/map/places",
  summary:
    "Says where nodes are, in the order of their ids. Addresses without a known place are looked up meanwhile, one after the other.",
  access: { kind: "scope", scope: "node:read", nodes: "filtered" },
  query: z.strictObject({ limit: limitOf(1_000, 100), cursor: nodeId.optional() }),
  responses: { 200: listOf(nodePlace).extend({ lookup: placeLookup }) },
} as const satisfies RouteSpec;

export const pluginLines = z
  .strictObject({
    plugin: z.string(),
    name: z.string(),
    version: z.string(),
    answeredAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the plugin said these lines; null before it has answered." }),
    trouble: z.string().nullable().meta({ description: "Why it has not answered since." }),
    lines: z.array(mapLine),
  })
  .meta({ id: "PluginLines", description: "Lines that an active first-party plugin draws between nodes." });
export type PluginLines = z.output<typeof pluginLines>;

export const mapLinesRoute = {
  method: "GET",
  path: "/api/map/lines",
  summary:
    "Lists the lines that active plugins draw between nodes. What is older than a minute is asked again behind the answer.",
  access: { kind: "scope", scope: "node:read", nodes: "filtered" },
  responses: { 200: listOf(pluginLines) },
} as const satisfies RouteSpec;
