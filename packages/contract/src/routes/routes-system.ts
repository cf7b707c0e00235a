import * as z from "zod";
import { auditCheckStates } from "../audit-check-states.ts";
import type { RouteSpec } from "./route.ts";

/** Liveness (contract 4): exactly `{"status":"ok"}`, for anybody. */
export const healthRoute = {
  method: "GET",
  path: "/api/health",
  summary: "Says that the process is alive.",
  access: { kind: "public", because: "the liveness check of proxies and containers; it carries no data" },
  probe: true,
  responses: { 200: z.strictObject({ status: z.literal("ok") }) },
} as const satisfies RouteSpec;

const check = z.enum(["ok", "failed"]);

export const readyRoute = {
  method: "GET",
  path: "/api/ready",
  summary: "Says whether requests can be served and changes can be kept.",
  access: { kind: "public", because: "the readiness check of proxies; it names parts, not reasons" },
  probe: true,
  responses: {
    200: z.strictObject({
      status: z.literal("ready"),
      checks: z.strictObject({ store: check, audit: z.enum(auditCheckStates) }),
    }),
  },
  faults: ["server.not_ready", "server.stopping"],
} as const satisfies RouteSpec;

export const versionRoute = {
  method: "GET",
  path: "/api/version",
  summary: "Says which build this is.",
  access: { kind: "public", because: "the deployment check of contract 10.3 asks it without a credential" },
  responses: {
    200: z.strictObject({
      version: z.string(),
      commit: z.string(),
      builtAt: z.string(),
      channel: z.string(),
      node: z.string(),
      api: z.string(),
    }),
  },
} as const satisfies RouteSpec;

export const openApiRoute = {
  method: "GET",
  path: "/api/openapi.json",
  summary: "Describes every route, made from the schemas that check the requests.",
  access: { kind: "public", because: "a description of published software; the same for every installation" },
  responses: { 200: { mediaType: "application/json; charset=utf-8" } },
} as const satisfies RouteSpec;

export const metricsRoute = {
  method: "GET",
  path: "/api/metrics",
  summary: "The server's figures in the Prometheus text format.",
  access: { kind: "metrics-token" },
  responses: { 200: { mediaType: "text/plain; version=0.0.4; charset=utf-8" } },
  faults: ["server.metrics_disabled"],
} as const satisfies RouteSpec;

export const cspReportsRoute = {
  method: "POST",
  path: "/api/csp-reports",
  summary: "Takes a browser's report of what the Content-Security-Policy blocked.",
  access: { kind: "public", because: "browsers send these reports without a credential" },
  anySite: { because: "a report is sent by the browser itself, and only counted" },
  accepts: ["application/csp-report", "application/reports+json", "application/json"],
  bodyLimit: 16 * 1024,
  rate: { perMinute: 20, burst: 20 },
  // Browsers differ in the fields they send; what is kept is picked out and cut by the feature.
  body: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()).max(100)]),
  responses: { 204: null },
} as const satisfies RouteSpec;
