import * as z from "zod";
import { pluginId, sha256Hex } from "../plugin-names.ts";
import { limitOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";
import { pluginCapability } from "./routes-plugins.ts";

export const marketplaceEntry = z
  .strictObject({
    id: pluginId,
    name: z.string(),
    publisher: pluginId,
    version: z.string(),
    summary: z.string(),
    homepage: z.string().nullable(),
    capabilities: z.array(pluginCapability),
    artifactSha256: sha256Hex.nullable(),
    placed: z.boolean().meta({ description: "Whether a bundle of this id was loaded at the last start." }),
    steps: z.array(z.string()).meta({ description: "How to place the bundle by hand; there is no remote install." }),
  })
  .meta({ id: "MarketplaceEntry" });

export const marketplaceRoute = {
  method: "GET",
  path: "/api/marketplace",
  summary: "Lists plugins that exist, as the operator's metadata file says. There is no remote install.",
  access: { kind: "signed-in", nodes: { none: "the operator's file names plugins, not nodes" } },
  query: z.strictObject({ limit: limitOf(200, 100), cursor: pluginId.optional() }),
  responses: { 200: z.strictObject({ items: z.array(marketplaceEntry), nextCursor: z.string().nullable() }) },
} as const satisfies RouteSpec;
