import * as z from "zod";
import { nodeId } from "../node-id.ts";
import { agentArchitectures, ceilingLevels, nodeName, nodeStates, nodeTag, nodeTags } from "../node-names.ts";
import { handPlace } from "../places.ts";
import { sha256Hex } from "../plugin-names.ts";
import { ifMatch, limitOf, listOf } from "./list-shape.ts";
import { acceptsModes } from "./plan-approval.ts";
import type { RouteSpec } from "./route.ts";

const nodeFacts = z
  .strictObject({
    agentVersion: z.string(),
    agentSha256: z.string(),
    arch: z.string(),
    hostname: z.string(),
    kernel: z.string(),
    os: z.string(),
    mode: z.string(),
    ceilingDigest: z.string(),
    ceiling: z.string().meta({ description: "The ceiling as it stands on the host: JSON, as text." }),
    trustDigest: z
      .string()
      .nullable()
      .meta({ description: "Of the file that names the host's approvers; null when it has none." }),
    accepts: z.enum(acceptsModes).meta({ description: "How root of the host lets changes be approved there." }),
    addresses: z.array(z.string()),
    units: z.array(z.strictObject({ name: z.string(), state: z.string() })),
    receivedAt: z.iso.datetime(),
  })
  .meta({ id: "NodeFacts", description: "What the host says of itself, signed by its host key." });

export const node = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    tags: z.array(z.string()),
    notes: z.string(),
    state: z.enum(nodeStates),
    since: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Since when it is in this state; null when nobody saw it begin." }),
    lastSeenAt: z.iso.datetime().nullable(),
    address: z.string().nullable().meta({ description: "Where its connection comes from." }),
    rival: z
      .strictObject({ address: z.string(), at: z.iso.datetime() })
      .nullable()
      .meta({ description: "Another connection with the same identity: two machines may have one disk." }),
    clockSkewMs: z.int().nullable().meta({ description: "How far the host's clock is ahead of the server's." }),
    hostname: z.string(),
    hostKey: z.string(),
    place: handPlace.nullable().meta({ description: "Where it is, as somebody has set by hand." }),
    enrolledAt: z.iso.datetime(),
    enrolledBy: z.string(),
    revokedAt: z.iso.datetime().nullable(),
    facts: nodeFacts.nullable(),
    drift: z.strictObject({ parts: z.int(), since: z.iso.datetime() }).nullable().meta({
      description:
        "How many parts of the host differ from what was confirmed there, and since when; null when none does.",
    }),
  })
  .meta({ id: "Node" });
export type Node = z.output<typeof node>;

const params = z.strictObject({ id: nodeId });

export const nodesRoute = {
  method: "GET",
  path: "/api/nodes",
  summary: "Lists nodes in the order of their ids.",
  access: { kind: "scope", scope: "node:read", nodes: "filtered" },
  query: z.strictObject({
    state: z.enum(nodeStates).optional(),
    tag: nodeTag.optional(),
    version: z.string().max(64).optional().meta({ description: "Of the agent." }),
    architecture: z.enum(agentArchitectures).optional().meta({ description: "What the agent is built for." }),
    ceiling: z.enum(ceilingLevels).optional(),
    limit: limitOf(1_000, 100),
    cursor: nodeId.optional(),
  }),
  responses: { 200: listOf(node) },
} as const satisfies RouteSpec;

export const nodeRoute = {
  method: "GET",
  path: "/api/nodes/:id",
  summary: "Shows one node; the ETag is what a change has to send as If-Match.",
  access: { kind: "scope", scope: "node:read", nodes: { param: "id" } },
  params,
  responses: { 200: node },
  faults: ["node.unknown"],
} as const satisfies RouteSpec;

export const changeNodeRoute = {
  method: "PATCH",
  path: "/api/nodes/:id",
  summary: "Changes a node's name, tags, notes or place, or revokes it: its connection ends before this is answered.",
  access: { kind: "scope", scope: "node:admin", nodes: { param: "id" } },
  params,
  headers: z.object({ "if-match": ifMatch }),
  bodyLimit: 16 * 1024,
  body: z
    .strictObject({
      name: nodeName.optional(),
      tags: nodeTags.optional(),
      notes: z.string().max(4_096).optional(),
      place: handPlace.nullable().optional().meta({ description: "null takes away what was set by hand." }),
      revoked: z.literal(true).optional(),
    })
    .refine((body) => Object.keys(body).length > 0, "must name something to change"),
  responses: { 200: node },
  faults: ["node.unknown", "request.stale"],
} as const satisfies RouteSpec;

export const removeNodeRoute = {
  method: "DELETE",
  path: "/api/nodes/:id",
  summary:
    "Removes a node; its connection ends before this is answered. The host keeps its agent until somebody removes it there.",
  // It raises no power, but there is no way back; revoking is the quick way, and needs no proof.
  access: { kind: "scope", scope: "node:admin", nodes: { param: "id" }, stepUp: "sessions" },
  params,
  headers: z.object({ "if-match": ifMatch }),
  responses: { 204: null },
  faults: ["node.unknown", "request.stale"],
} as const satisfies RouteSpec;

export const agentBinary = z
  .strictObject({ arch: z.enum(agentArchitectures), sha256: sha256Hex, size: z.int() })
  .meta({ id: "AgentBinary" });
export type AgentBinary = z.output<typeof agentBinary>;
