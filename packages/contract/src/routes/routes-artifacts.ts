import * as z from "zod";
import { idOf } from "../id-form.ts";
import { agentArchitectures } from "../node-names.ts";
import { keyId, pluginId, sha256Hex } from "../plugin-names.ts";
import { limitOf, listOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";

/** How large an artifact may be, and each of its parts but the last one. */
export const artifactBytes = { most: 512 * 1024 * 1024, part: 32 * 1024 * 1024 } as const;

const nothingOfNodes = { none: "bytes that plans may put on any host" } as const;

const facts = {
  version: z
    .string()
    .max(64)
    .regex(
      /^(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/,
      "must be a semantic version",
    ),
  architecture: z.enum(agentArchitectures),
  sha256: sha256Hex,
  size: z.int().min(1).max(artifactBytes.most),
  signature: z
    .strictObject({
      keyId,
      ed25519: z.string().regex(/^[A-Za-z0-9+/]{85}[AQgw]==$/, "must be an Ed25519 signature: 64 bytes in base64"),
    })
    .meta({ description: "Over the facts. Hosts check it; this server has no key to do so." }),
};

/** An artifact before it has an id: what is signed of it. */
export const announcedArtifact = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("binary"),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be 1 to 64 of a-z 0-9 . _ - and begin with a letter or digit"),
    ...facts,
    publisher: pluginId,
  }),
  z.strictObject({ kind: z.literal("release"), name: z.literal("gatehouse-agent"), ...facts }),
]);
export type AnnouncedArtifact = z.output<typeof announcedArtifact>;

export const artifact = z
  .strictObject({
    id: z.string(),
    kind: z.enum(["binary", "release"]),
    name: z.string(),
    ...facts,
    publisher: z.string().optional().meta({ description: "Of a binary." }),
    partSize: z.int(),
    parts: z.array(z.int()).meta({ description: "The numbers of the parts that are there." }),
    state: z.enum(["arriving", "whole"]),
    createdAt: z.iso.datetime(),
    by: z.string(),
    wholeAt: z.iso.datetime().optional(),
  })
  .meta({ id: "Artifact" });
export type Artifact = z.output<typeof artifact>;

const artifactId = idOf("artifact");
const params = z.strictObject({ id: artifactId });

export const announceArtifactRoute = {
  method: "POST",
  path: "/api/artifacts",
  summary:
    "Announces an artifact by its signed facts; its parts come next. The same facts again are the same artifact.",
  access: { kind: "scope", scope: "plan:create", nodes: "every" },
  bodyLimit: 8 * 1024,
  body: announcedArtifact,
  responses: { 200: artifact, 201: artifact },
  faults: ["artifact.differs", "artifact.quota"],
} as const satisfies RouteSpec;

export const putArtifactPartRoute = {
  method: "PUT",
  path: "/api/artifacts/:id/parts/:number",
  summary:
    "Brings a part, in any order. With the last one the server joins them; bytes that are not those announced are dropped.",
  access: { kind: "scope", scope: "plan:create", nodes: "every" },
  params: z.strictObject({
    id: artifactId,
    number: z.string().regex(/^(?:0|[1-9][0-9]?)$/, "must be the number of a part, counted from 0"),
  }),
  bodyStream: { mediaType: "application/octet-stream", most: artifactBytes.part },
  responses: { 200: artifact },
  faults: ["artifact.unknown", "artifact.parts", "artifact.differs", "artifact.digest", "store.disk_full"],
} as const satisfies RouteSpec;

export const artifactsRoute = {
  method: "GET",
  path: "/api/artifacts",
  summary: "Lists artifacts, the newest first.",
  access: { kind: "scope", scope: "plan:read", nodes: nothingOfNodes },
  query: z.strictObject({
    limit: limitOf(200, 50),
    cursor: z
      .string()
      .regex(/^[0-9]{1,16}\.artifact_[0-9a-z]{26}$/)
      .optional(),
  }),
  responses: { 200: listOf(artifact) },
} as const satisfies RouteSpec;

export const artifactRoute = {
  method: "GET",
  path: "/api/artifacts/:id",
  summary: "Shows one artifact, and which of its parts are there.",
  access: { kind: "scope", scope: "plan:read", nodes: nothingOfNodes },
  params,
  responses: { 200: artifact },
  faults: ["artifact.unknown"],
} as const satisfies RouteSpec;

export const artifactContentRoute = {
  method: "GET",
  path: "/api/artifacts/:id/content",
  summary: "The bytes of an artifact that is whole.",
  access: { kind: "scope", scope: "plan:read", nodes: nothingOfNodes },
  params,
  responses: { 200: { mediaType: "application/octet-stream" } },
  faults: ["artifact.unknown", "artifact.not_whole", "artifact.bytes_missing"],
} as const satisfies RouteSpec;

export const removeArtifactRoute = {
  method: "DELETE",
  path: "/api/artifacts/:id",
  summary: "Removes an artifact that no plan names which has not ended.",
  access: { kind: "scope", scope: "plan:create", nodes: "every" },
  params,
  responses: { 204: null },
  faults: ["artifact.unknown", "artifact.in_use"],
} as const satisfies RouteSpec;
