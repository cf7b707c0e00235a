import * as z from "zod";
import { visibleText } from "../visible-text.ts";
import type { RouteSpec } from "./route.ts";

/** What owners decide while the server runs. What is decided before it starts are the SERVICE_ variables. */
export const serverSettings = z
  .strictObject({
    plans: z.strictObject({
      selfApproval: z
        .boolean()
        .meta({ description: "Whether whoever made a plan may approve it: for installs of one person." }),
      stopped: z
        .strictObject({ at: z.iso.datetime(), by: z.string(), reason: z.string() })
        .nullable()
        .meta({ description: "Since when no plan is applied anywhere, and why." }),
    }),
  })
  .meta({ id: "ServerSettings" });
export type ServerSettings = z.output<typeof serverSettings>;

export const settingsRoute = {
  method: "GET",
  path: "/api/settings",
  summary: "Shows what owners decided while the server runs.",
  access: { kind: "scope", scope: "settings:admin", nodes: "every" },
  responses: { 200: serverSettings },
} as const satisfies RouteSpec;

export const changeSettingsRoute = {
  method: "PATCH",
  path: "/api/settings",
  summary: "Changes them; clears the stop of all plans.",
  access: { kind: "scope", scope: "settings:admin", nodes: "every", stepUp: "always" },
  bodyLimit: 8 * 1024,
  body: z.strictObject({
    plans: z
      .strictObject({ selfApproval: z.boolean().optional(), stopped: z.null().optional() })
      .refine((body) => Object.keys(body).length > 0, "must name something to change"),
  }),
  responses: { 200: serverSettings },
} as const satisfies RouteSpec;

const stopState = z
  .strictObject({
    stopped: z.strictObject({ at: z.iso.datetime(), by: z.string(), reason: z.string() }).nullable(),
  })
  .meta({ id: "PlansStop" });

export const plansStopRoute = {
  method: "GET",
  path: "/api/plans/stop",
  summary: "Shows whether all plans are stopped.",
  access: { kind: "scope", scope: "plan:read", nodes: "every" },
  responses: { 200: stopState },
} as const satisfies RouteSpec;

export const stopPlansRoute = {
  method: "PUT",
  path: "/api/plans/stop",
  summary: "Stops all plans: nothing more is begun on any host. An owner ends it in the settings.",
  // It takes power from everybody, at a moment when seconds count: no proof is asked for.
  access: { kind: "scope", scope: "plan:stop", nodes: "every" },
  bodyLimit: 8 * 1024,
  body: z.strictObject({ reason: visibleText(500) }),
  responses: { 200: stopState },
} as const satisfies RouteSpec;
