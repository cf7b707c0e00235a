import * as z from "zod";
import { idOf } from "../id-form.ts";
import { roles } from "../scopes.ts";
import { usernameForm } from "../username.ts";
import { idempotencyKey, ifMatch, limitOf, listOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";

export const user = z
  .strictObject({
    id: z.string(),
    username: z.string(),
    role: z.enum(roles),
    disabled: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    passwordChangedAt: z.iso.datetime(),
  })
  .meta({ id: "User" });
export type User = z.output<typeof user>;

const params = z.strictObject({ id: idOf("usr") });

export const usersRoute = {
  method: "GET",
  path: "/api/users",
  summary: "Lists users, the oldest first.",
  access: { kind: "scope", scope: "user:admin", nodes: "every" },
  query: z.strictObject({ limit: limitOf(200, 50), cursor: idOf("usr").optional() }),
  responses: { 200: listOf(user) },
} as const satisfies RouteSpec;

export const createUserRoute = {
  method: "POST",
  path: "/api/users",
  summary: "Creates a user with a first password.",
  access: { kind: "scope", scope: "user:admin", nodes: "every", stepUp: "always" },
  bodyLimit: 8 * 1024,
  headers: z.object({ "idempotency-key": idempotencyKey }),
  body: z.strictObject({
    username: z.string().regex(usernameForm, "must be 1 to 63 of a-z 0-9 . _ - and begin with a letter or digit"),
    role: z.enum(roles),
    password: z.string().min(1).max(1_024),
  }),
  responses: { 201: user },
  faults: ["user.name_taken", "user.beyond_own", "auth.password_unacceptable", "request.key_reused", "server.busy"],
} as const satisfies RouteSpec;

export const userRoute = {
  method: "GET",
  path: "/api/users/:id",
  summary: "Shows one user; the ETag is what a change has to send as If-Match.",
  access: { kind: "scope", scope: "user:admin", nodes: "every" },
  params,
  responses: { 200: user },
  faults: ["user.unknown"],
} as const satisfies RouteSpec;

export const changeUserRoute = {
  method: "PATCH",
  path: "/api/users/:id",
  summary: "Changes a user's role, or disables or enables the user; ends the user's sessions.",
  access: {
    kind: "scope",
    scope: "user:admin",
    nodes: "every",
    stepUp: "always",
    lowers: { says: "nothing but `disabled: true`", body: z.strictObject({ disabled: z.literal(true) }) },
  },
  params,
  headers: z.object({ "if-match": ifMatch }),
  body: z
    .strictObject({ role: z.enum(roles).optional(), disabled: z.boolean().optional() })
    .refine(({ role, disabled }) => role !== undefined || disabled !== undefined, "must name role, disabled or both"),
  responses: { 200: user },
  faults: ["user.unknown", "user.last_owner", "user.beyond_own", "request.stale"],
} as const satisfies RouteSpec;

export const removeUserRoute = {
  method: "DELETE",
  path: "/api/users/:id",
  summary: "Removes a user with all of the user's sessions and tokens.",
  // It raises no power, but there is no way back; disabling somebody is the quick way, and needs no proof.
  access: { kind: "scope", scope: "user:admin", nodes: "every", stepUp: "sessions" },
  params,
  headers: z.object({ "if-match": ifMatch }),
  responses: { 204: null },
  faults: ["user.unknown", "user.last_owner", "user.beyond_own", "request.stale"],
} as const satisfies RouteSpec;
