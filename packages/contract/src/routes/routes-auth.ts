import * as z from "zod";
import { idOf } from "../id-form.ts";
import { roles, scopeNames } from "../scopes.ts";
import { limitOf, listOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";
import { shownNodes } from "./shown-nodes.ts";

/** Longer than any password that can be set, and short enough that hashing it costs nothing more. */
const typedPassword = z.string().min(1).max(1_024);

export const whoAmI = z
  .strictObject({
    user: z.strictObject({ id: z.string(), username: z.string(), role: z.enum(roles) }),
    credential: z.strictObject({
      kind: z.enum(["session", "token"]),
      id: z.string(),
      expiresAt: z.iso.datetime(),
    }),
    scopes: z.array(z.enum(scopeNames)).meta({ description: "What the credential holds at this moment." }),
    nodes: shownNodes,
    authenticatedAt: z.iso.datetime().meta({ description: "When the person last proved who they are." }),
    position: z.int().min(0).meta({
      description:
        "Where the log of changes stood. Whoever reads something afterwards and opens `GET /api/events?after=` here misses no change between the two.",
    }),
  })
  .meta({ id: "WhoAmI" });
export type WhoAmI = z.output<typeof whoAmI>;

export const session = z
  .strictObject({
    id: z.string(),
    current: z.boolean().meta({ description: "Whether it is the session that asks." }),
    createdAt: z.iso.datetime(),
    authenticatedAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: "null when no use of it is known." }),
    expiresAt: z.iso.datetime(),
    address: z.string(),
    userAgent: z.string(),
  })
  .meta({ id: "Session" });
export type Session = z.output<typeof session>;

export const loginRoute = {
  method: "POST",
  path: "/api/auth/login",
  summary: "Signs in with a name and a password and sets the session cookie.",
  access: { kind: "public", because: "it is how one gets a credential; attempts are limited per address and account" },
  bodyLimit: 8 * 1024,
  // SERVICE_SIGNIN_RATE takes the place of these numbers, which are its default.
  rate: { perMinute: 5, burst: 5 },
  // The cookie that a browser was given at an earlier sign-in; it opens nothing, and strangers cannot slow it down.
  headers: z.object({ "user-agent": z.string().optional(), cookie: z.string().optional() }),
  body: z.strictObject({ username: z.string().min(1).max(256), password: typedPassword }),
  responses: { 200: whoAmI },
  faults: ["auth.sign_in_refused", "auth.sign_in_throttled", "server.busy"],
} as const satisfies RouteSpec;

export const logoutRoute = {
  method: "POST",
  path: "/api/auth/logout",
  summary: "Ends the session that asks.",
  access: { kind: "signed-in", nodes: "every" },
  responses: { 204: null },
  faults: ["auth.session_required"],
} as const satisfies RouteSpec;

export const stepUpRoute = {
  method: "POST",
  path: "/api/auth/step-up",
  summary: "Proves the password again; for five minutes the session may do what needs a fresh sign-in.",
  access: { kind: "signed-in", nodes: "every" },
  bodyLimit: 8 * 1024,
  body: z.strictObject({ password: typedPassword }),
  responses: { 200: whoAmI },
  faults: ["auth.session_required", "auth.password_wrong", "auth.sign_in_throttled", "server.busy"],
} as const satisfies RouteSpec;

export const whoAmIRoute = {
  method: "GET",
  path: "/api/auth/whoami",
  summary: "Says whose credential it is and what it holds.",
  access: { kind: "signed-in", nodes: { none: "it says what the credential itself holds" } },
  responses: { 200: whoAmI },
} as const satisfies RouteSpec;

export const sessionsRoute = {
  method: "GET",
  path: "/api/auth/sessions",
  summary: "Lists one's own sessions.",
  access: { kind: "signed-in", nodes: "every" },
  query: z.strictObject({ limit: limitOf(100, 100), cursor: idOf("ses").optional() }),
  responses: { 200: listOf(session) },
  faults: ["auth.session_required"],
} as const satisfies RouteSpec;

export const endOtherSessionsRoute = {
  method: "DELETE",
  path: "/api/auth/sessions",
  summary: "Ends all of one's sessions but the one that asks.",
  access: { kind: "signed-in", nodes: "every" },
  responses: { 204: null },
  faults: ["auth.session_required"],
} as const satisfies RouteSpec;

export const endSessionRoute = {
  method: "DELETE",
  path: "/api/auth/sessions/:id",
  summary: "Ends one of one's sessions.",
  access: { kind: "signed-in", nodes: "every" },
  params: z.strictObject({ id: idOf("ses") }),
  responses: { 204: null },
  faults: ["auth.session_required", "session.unknown"],
} as const satisfies RouteSpec;

/** Contract 5.5: how a password is changed; the variables of the first start never do. */
export const passwordRoute = {
  method: "POST",
  path: "/api/auth/password",
  summary: "Changes one's own password and ends one's other sessions.",
  access: { kind: "signed-in", nodes: "every" },
  bodyLimit: 8 * 1024,
  body: z.strictObject({ currentPassword: typedPassword, newPassword: typedPassword }),
  responses: { 204: null },
  faults: [
    "auth.session_required",
    "auth.password_wrong",
    "auth.password_unacceptable",
    "auth.sign_in_throttled",
    "server.busy",
  ],
} as const satisfies RouteSpec;
