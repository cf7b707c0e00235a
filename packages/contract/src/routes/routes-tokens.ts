import * as z from "zod";
import { idOf } from "../id-form.ts";
import { nodeId } from "../node-id.ts";
import { scopeNames } from "../scopes.ts";
import { tokenClasses } from "../token-classes.ts";
import { idempotencyKey, limitOf, listOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";
import { shownNodes } from "./shown-nodes.ts";

const hour = 60 * 60;

/** Expiry is mandatory: who says nothing gets a day, and nobody gets more than a quarter (contract 5.3: short-lived). */
export const tokenLifetimes = { least: 60, unsaid: 24 * hour, most: 90 * 24 * hour } as const;

const tokenFields = {
  id: z.string(),
  name: z.string(),
  class: z.enum(tokenClasses),
  owner: z.strictObject({ id: z.string(), username: z.string() }),
  scopes: z.array(z.enum(scopeNames)).meta({ description: "At use cut to what its owner then holds." }),
  nodes: shownNodes,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable().meta({ description: "null when no use of it is known." }),
  lastAddress: z.string().nullable(),
};

export const token = z.strictObject(tokenFields).meta({ id: "Token" });
export type Token = z.output<typeof token>;

export const issuedToken = z
  .strictObject({ ...tokenFields, token: z.string().meta({ description: "The token itself, shown this once." }) })
  .meta({ id: "IssuedToken" });

const tokenId = z.string().regex(/^[0-9a-z]{16}$/, "must be the 16 characters after gth_");

export const tokensRoute = {
  method: "GET",
  path: "/api/tokens",
  summary: "Lists one's own tokens, or everybody's with the scope token:admin; a token without it sees only itself.",
  access: { kind: "signed-in", nodes: "filtered" },
  query: z.strictObject({
    owner: idOf("usr").optional().meta({ description: "Only the tokens of this user." }),
    limit: limitOf(200, 50),
    cursor: tokenId.optional(),
  }),
  responses: { 200: listOf(token) },
  faults: ["auth.scope_missing"],
} as const satisfies RouteSpec;

export const issueTokenRoute = {
  method: "POST",
  path: "/api/tokens",
  summary: "Issues a token for oneself. A token can never do this.",
  access: { kind: "signed-in", nodes: "every", stepUp: "always" },
  bodyLimit: 256 * 1024,
  headers: z.object({ "idempotency-key": idempotencyKey }),
  body: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(80)
      .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, "must be one line of visible characters"),
    class: z.enum(tokenClasses).optional().meta({ description: "automation unless said otherwise." }),
    scopes: z
      .array(z.enum(scopeNames))
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length, "must name each scope once"),
    nodes: z
      .array(nodeId)
      .min(1)
      .max(1_000)
      .refine((nodes) => new Set(nodes).size === nodes.length, "must name each node once")
      .optional()
      .meta({ description: "Ids of the only nodes it may see or touch." }),
    expiresInSeconds: z.int().min(tokenLifetimes.least).max(tokenLifetimes.most).optional(),
  }),
  responses: { 201: issuedToken },
  faults: ["token.scope_refused", "token.too_many", "token.already_issued", "request.key_reused"],
} as const satisfies RouteSpec;

export const revokeTokenRoute = {
  method: "DELETE",
  path: "/api/tokens/:id",
  summary: "Revokes a token; whatever it had open ends within a second.",
  access: { kind: "signed-in", nodes: "filtered" },
  params: z.strictObject({ id: tokenId }),
  responses: { 204: null },
  faults: ["token.unknown"],
} as const satisfies RouteSpec;
