import * as z from "zod";
import { agentArchitectures, nodeName, nodeTags } from "../node-names.ts";
import { idempotencyKey, limitOf, listOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";
import { agentBinary } from "./routes-nodes.ts";

export const enrolmentStates = ["open", "used", "expired", "revoked"] as const;

/** A day at most, and a minute at least: a code is for a host that waits for it. */
export const enrolmentLifetimes = { least: 60, unsaid: 15 * 60, most: 24 * 60 * 60 } as const;
export const enrolmentsAtOnce = 100;

const enrolmentFields = {
  id: z.string(),
  name: z.string().nullable(),
  tags: z.array(z.string()),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  expiresAt: z.iso.datetime(),
  state: z.enum(enrolmentStates),
  nodeId: z.string().nullable(),
};
export const enrolment = z.strictObject(enrolmentFields).meta({ id: "Enrolment" });
export type Enrolment = z.output<typeof enrolment>;

export const newEnrolment = z
  .strictObject({
    ...enrolmentFields,
    code: z.string().meta({ description: "In this one answer, and nowhere else." }),
  })
  .meta({ id: "NewEnrolment" });
export type NewEnrolment = z.output<typeof newEnrolment>;

export const enrolmentsRoute = {
  method: "GET",
  path: "/api/nodes/enrolments",
  summary: "Lists enrolment codes that are open or ended within a day, without the codes themselves.",
  access: { kind: "scope", scope: "node:admin", nodes: "every" },
  query: z.strictObject({
    limit: limitOf(200, 50),
    cursor: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .optional(),
  }),
  responses: { 200: listOf(enrolment) },
} as const satisfies RouteSpec;

export const createEnrolmentsRoute = {
  method: "POST",
  path: "/api/nodes/enrolments",
  summary: "Makes one-time codes, each for one host.",
  access: { kind: "scope", scope: "node:admin", nodes: "every", stepUp: "always" },
  bodyLimit: 8 * 1024,
  headers: z.object({ "idempotency-key": idempotencyKey }),
  body: z
    .strictObject({
      count: z.int().min(1).max(enrolmentsAtOnce).optional(),
      name: nodeName.optional().meta({ description: "For one code; without it a node is called as its host is." }),
      tags: nodeTags.optional(),
      expiresInSeconds: z.int().min(enrolmentLifetimes.least).max(enrolmentLifetimes.most).optional(),
    })
    .refine(({ count = 1, name }) => count === 1 || name === undefined, "a name is for one code"),
  responses: { 201: z.strictObject({ items: z.array(newEnrolment) }) },
  faults: ["enrolment.too_many", "enrolment.already_made", "enrol.url", "request.key_reused"],
} as const satisfies RouteSpec;

export const revokeEnrolmentRoute = {
  method: "DELETE",
  path: "/api/nodes/enrolments/:id",
  summary: "Revokes an enrolment code that was not used.",
  access: { kind: "scope", scope: "node:admin", nodes: "every" },
  params: z.strictObject({ id: z.string().regex(/^[0-9a-f]{32}$/, "must be the id of an enrolment") }),
  responses: { 204: null },
  faults: ["enrolment.unknown", "enrol.code_used"],
} as const satisfies RouteSpec;

/** A signed message of the channel in base64url. */
const signedMessage = z.strictObject({
  message: z
    .string()
    .max(24 * 1024)
    .regex(/^[A-Za-z0-9_-]+$/, "must be base64url"),
});

export const enrolHostRoute = {
  method: "POST",
  path: "/api/agent/enrol",
  summary: "Enrols a host: spends its code, and answers with what the server has signed.",
  access: {
    kind: "public",
    because: "a host that enrols has no credential yet; the code's secret signs what it sends",
  },
  bodyLimit: 32 * 1024,
  body: signedMessage,
  responses: { 200: signedMessage },
  faults: [
    "enrol.malformed",
    "enrol.code_unknown",
    "enrol.code_expired",
    "enrol.code_used",
    "enrol.mac",
    "enrol.possession",
    "enrol.same_key",
    "enrol.server_key",
    "key.weak",
  ],
} as const satisfies RouteSpec;

export const agentBinariesRoute = {
  method: "GET",
  path: "/api/agent/download",
  summary: "Lists the agent binaries of this server with their digests.",
  access: {
    kind: "public",
    because: "hosts that are to be enrolled have no credential, and the binary is the same for all",
  },
  responses: { 200: z.strictObject({ version: z.string(), items: z.array(agentBinary) }) },
} as const satisfies RouteSpec;

export const downloadAgentRoute = {
  method: "GET",
  path: "/api/agent/download/:arch",
  summary: "The agent for an architecture, compressed with gzip; check its digest before it runs.",
  access: {
    kind: "public",
    because: "hosts that are to be enrolled have no credential, and the binary is the same for all",
  },
  params: z.strictObject({ arch: z.enum(agentArchitectures) }),
  responses: { 200: { mediaType: "application/octet-stream" } },
  faults: ["agent.not_built"],
} as const satisfies RouteSpec;
