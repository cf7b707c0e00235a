import * as z from "zod";
import { type Route, route } from "../src/platform/route/index.ts";
import { type Case, ownNode } from "./access-cases.ts";

export const foreignNode = `node_${"0".repeat(25)}2`;

/** A request that the handler of a row answers, and what it then answers to somebody. */
export interface Sample {
  /** How it is asked by those who get in, when that is not the row's own method. */
  readonly method?: string;
  readonly id?: string;
  readonly action?: string;
  readonly arch?: string;
  readonly number?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  /** Made anew for each call where calls would stand in each other's way. */
  readonly body?: object | ((call: number) => object);
  /** Of a row whose body is a stream. */
  readonly bytes?: string;
  readonly gives: string | ((one: Case) => string);
}

const nobodysId = "00000000000000000000000000";
const ofUser = { id: `usr_${nobodysId}`, headers: { "If-Match": '"1"' }, gives: "404 user.unknown" };
const ofNode = { id: ownNode, headers: { "If-Match": '"1"' }, gives: "404 node.unknown" };
const ofPlan = { id: `plan_${nobodysId}`, headers: { "If-Match": '"1"' }, gives: "404 plan.unknown" };
const ofArtifact = { id: `artifact_${nobodysId}`, gives: "404 artifact.unknown" };
const ofRule = { id: `rule_${nobodysId}`, headers: { "If-Match": '"1"' }, gives: "404 alert.rule_unknown" };
const ofWebhook = { id: `webhook_${nobodysId}`, gives: "404 webhook.unknown" };
const sessionOnly = (gives: string) => (one: Case) => (one.is === "token" ? "403 auth.session_required" : gives);
/** Tokens of others are for whoever may see every node. */
const unlessLimited = (gives: string) => (one: Case) =>
  one.isLimited && one.scopes.has("token:admin") ? "403 auth.node_limited" : gives;

/** One per route. Nothing here takes a credential from anybody, but for the sign-out, which is asked last. */
export const samples: Readonly<Record<string, Sample>> = {
  "GET /api/health": { gives: "200" },
  "GET /api/ready": { gives: "200" },
  "GET /api/version": { gives: "200" },
  "GET /api/openapi.json": { gives: "200" },
  "GET /api/metrics": { gives: "200" },
  "POST /api/csp-reports": { body: {}, gives: "204" },
  // The handler opens the stream, and HEAD has nothing of it sent.
  "GET /api/events": { method: "HEAD", gives: "200" },
  "GET /api/overview": { gives: "200" },
  "POST /api/auth/login": {
    body: (call) => ({ username: `nobody-${call}`, password: "not the password" }),
    gives: "401 auth.sign_in_refused",
  },
  "POST /api/auth/logout": { gives: sessionOnly("204") },
  "POST /api/auth/step-up": { body: { password: "not it" }, gives: sessionOnly("403 auth.password_wrong") },
  "GET /api/auth/whoami": { gives: "200" },
  "GET /api/auth/sessions": { gives: sessionOnly("200") },
  "DELETE /api/auth/sessions": { gives: sessionOnly("204") },
  "DELETE /api/auth/sessions/:id": { id: `ses_${nobodysId}`, gives: sessionOnly("404 session.unknown") },
  "POST /api/auth/password": {
    body: { currentPassword: "not it", newPassword: "eight lazy otters" },
    gives: sessionOnly("403 auth.password_wrong"),
  },
  "GET /api/tokens": { gives: unlessLimited("200") },
  "POST /api/tokens": { body: { name: "more", scopes: ["node:read"] }, gives: "201" },
  "DELETE /api/tokens/:id": { id: "0000000000000000", gives: unlessLimited("404 token.unknown") },
  "GET /api/users": { gives: "200" },
  "POST /api/users": {
    body: (call) => ({ username: `new-${call}`, role: "owner", password: "eight lazy otters" }),
    gives: "201",
  },
  "GET /api/users/:id": { id: ofUser.id, gives: ofUser.gives },
  "PATCH /api/users/:id": { ...ofUser, body: { role: "owner" } },
  "DELETE /api/users/:id": ofUser,
  "GET /api/audit": { gives: "200" },
  "GET /api/audit/check": { gives: "200" },
  "GET /api/audit/verify": { gives: "200" },
  "GET /api/audit/witness": { gives: "200" },
  "GET /api/audit/witnesses": { gives: "200" },
  "GET /api/plugins/lifecycle": { gives: "200" },
  "POST /api/plugins/lifecycle": { body: { id: "netguard", status: "installed" }, gives: "404 plugin.unknown" },
  "POST /api/plugins/verify": { body: { id: "netguard" }, gives: "404 plugin.unknown" },
  "POST /api/plugins/:id/actions/:action": { id: "netguard", action: "health", body: {}, gives: "404 plugin.unknown" },
  "GET /api/plugins/:id/answers": { id: "netguard", gives: "404 plugin.unknown" },
  "GET /api/plugins/trust": { gives: "200" },
  "GET /api/plugins/contributions": { gives: "200" },
  "GET /api/marketplace": { gives: "200" },
  "GET /api/nodes": { gives: "200" },
  "GET /api/alerts": { gives: "200" },
  "POST /api/alerts/:id/acknowledgement": { id: `alert_${nobodysId}`, body: {}, gives: "404 alert.unknown" },
  "GET /api/alert-rules": { gives: "200" },
  "GET /api/alert-rules/:id": { id: "disk", gives: "200" },
  "POST /api/alert-rules": {
    body: { name: "Away", watch: { kind: "offline", holdMinutes: 60 }, appliesTo: { tags: ["none"] } },
    gives: "201",
  },
  "PATCH /api/alert-rules/:id": { ...ofRule, body: { enabled: false } },
  "DELETE /api/alert-rules/:id": ofRule,
  "GET /api/alert-silences": { gives: "200" },
  "POST /api/alert-silences": {
    body: { appliesTo: { tags: ["none"] }, until: "2000-01-01T00:00:00.000Z", reason: "a test" },
    gives: "400 alert.silence_time",
  },
  "DELETE /api/alert-silences/:id": { id: `silence_${nobodysId}`, gives: "404 alert.silence_unknown" },
  "GET /api/map/places": { gives: "200" },
  "GET /api/map/lines": { gives: "200" },
  "GET /api/logs": { gives: "200" },
  "GET /api/logs/counts": { gives: "200" },
  "GET /api/nodes/:id/metrics": { id: ownNode, gives: "404 node.unknown" },
  "GET /api/nodes/:id": { id: ownNode, gives: "404 node.unknown" },
  "GET /api/nodes/:id/drift": { id: ownNode, gives: "404 node.unknown" },
  "GET /api/nodes/:id/drift/difference": { id: ownNode, query: "?subject=file:/etc/motd", gives: "404 node.unknown" },
  "POST /api/nodes/:id/drift/plan": { id: ownNode, body: {}, gives: "404 node.unknown" },
  "PATCH /api/nodes/:id": { ...ofNode, body: { name: "web" } },
  "DELETE /api/nodes/:id": ofNode,
  "GET /api/plans": { gives: "200" },
  "POST /api/plans": {
    body: { title: "t", summary: "s", operations: [{ kind: "service.restart", unit: "a.service" }], nodes: [ownNode] },
    gives: "404 node.unknown",
  },
  "POST /api/plans/:id/undo": { id: ofPlan.id, body: {}, gives: ofPlan.gives },
  "GET /api/plans/:id": { id: ofPlan.id, gives: ofPlan.gives },
  "GET /api/plans/:id/document": { id: ofPlan.id, gives: ofPlan.gives },
  "GET /api/plans/:id/question": { id: ofPlan.id, gives: ofPlan.gives },
  "GET /api/plans/:id/sections": { id: ofPlan.id, gives: ofPlan.gives },
  "POST /api/plans/:id/review": ofPlan,
  "POST /api/plans/:id/withdrawal": { ...ofPlan, body: {} },
  "POST /api/plans/:id/rejection": { ...ofPlan, body: { reason: "no" } },
  "GET /api/plans/:id/approvals": { id: ofPlan.id, gives: ofPlan.gives },
  "POST /api/plans/:id/approvals": { ...ofPlan, body: { server: true } },
  "POST /api/plans/:id/apply": ofPlan,
  "POST /api/plans/:id/halt": { ...ofPlan, body: { reason: "no" } },
  "GET /api/plans/:id/waves": { id: ofPlan.id, gives: ofPlan.gives },
  "GET /api/plans/:id/tasks": { id: ofPlan.id, gives: ofPlan.gives },
  "GET /api/artifacts": { gives: "200" },
  "POST /api/artifacts": {
    body: (call) => ({
      kind: "binary",
      name: "tool",
      version: "1.0.0",
      architecture: "x64",
      sha256: call.toString(16).padStart(8, "0").padEnd(64, "a"),
      size: 1,
      publisher: "acme",
      signature: { keyId: "0".repeat(32), ed25519: `${"A".repeat(86)}==` },
    }),
    gives: "201",
  },
  "GET /api/artifacts/:id": ofArtifact,
  "GET /api/artifacts/:id/content": ofArtifact,
  "PUT /api/artifacts/:id/parts/:number": { ...ofArtifact, number: "0", bytes: "x" },
  "DELETE /api/artifacts/:id": ofArtifact,
  "GET /api/plans/stop": { gives: "200" },
  "PUT /api/plans/stop": { body: { reason: "no" }, gives: "200" },
  "GET /api/webhooks": { gives: "200" },
  "POST /api/webhooks": {
    body: { name: "night watch", url: "https://hooks.example.test/x", events: ["alert.opened"] },
    gives: "201",
  },
  "PATCH /api/webhooks/:id": { ...ofWebhook, body: { name: "day watch" } },
  "DELETE /api/webhooks/:id": ofWebhook,
  "POST /api/webhooks/:id/secret": ofWebhook,
  "POST /api/webhooks/:id/test": ofWebhook,
  "GET /api/webhooks/:id/deliveries": ofWebhook,
  "GET /api/settings": { gives: "200" },
  "PATCH /api/settings": { body: { plans: { selfApproval: false } }, gives: sessionOnly("200") },
  "GET /api/nodes/enrolments": { gives: "200" },
  "POST /api/nodes/enrolments": { body: {}, gives: "201" },
  "DELETE /api/nodes/enrolments/:id": { id: "0".repeat(32), gives: "404 enrolment.unknown" },
  "POST /api/agent/enrol": { body: { message: "AAAA" }, gives: "400 enrol.malformed" },
  "GET /api/agent/download": { gives: "200" },
  "GET /api/agent/download/:arch": { arch: "x64", gives: "404 agent.not_built" },
  "GET /api/planted/nodes": { gives: "200" },
  "GET /api/planted/nodes/:id": { id: ownNode, gives: "200" },
  "POST /api/planted/nodes": { body: {}, gives: "204" },
};

/** Rows as the fleet will have them, one of each reach that the product does not have yet or has with a twist. */
export const plantedRoutes: readonly Route[] = [
  route(
    {
      method: "GET",
      path: "/api/planted/nodes",
      summary: "Lists nodes.",
      access: { kind: "scope", scope: "node:read", nodes: "filtered" },
      responses: { 200: z.strictObject({ items: z.array(z.string()) }) },
    },
    ({ nodes }) => nodes.answer((seen) => ({ items: [ownNode, foreignNode].filter(seen.has) })),
  ),
  route(
    {
      method: "GET",
      path: "/api/planted/nodes/:id",
      summary: "Shows a node.",
      access: { kind: "scope", scope: "node:read", nodes: { param: "id" } },
      params: z.strictObject({ id: z.string() }),
      responses: { 200: z.strictObject({ id: z.string() }) },
    },
    ({ params }) => ({ id: params.id }),
  ),
  route(
    {
      method: "POST",
      path: "/api/planted/nodes",
      summary: "Does something to all of them, and looks at nothing first.",
      access: { kind: "scope", scope: "node:admin", nodes: "every" },
      body: z.strictObject({}),
      responses: { 204: null },
    },
    () => undefined,
  ),
];
