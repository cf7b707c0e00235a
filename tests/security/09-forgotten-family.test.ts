import type { RouteSpec } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import * as z from "zod";
import { type Principal, type Route, spyRoute, startPlanted } from "./inside/planted-server.ts";
import { contractRows, contractSockets } from "../support/contract-rows.ts";
import { Chance } from "./support/chance.ts";
import { readOpenApi } from "./support/openapi.ts";
import { inLanes } from "./support/in-lanes.ts";
import { newClient } from "./support/new-client.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** Portainer and nginx-ui: a whole family of endpoints was open because nobody had thought of it. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "SEARCH"];
const families = joined(
  ["mcp", "v1", "v2", "internal", "debug", "admin", "setup", "install", "graphql", "rpc", "proxy", "docker"],
  ["auth", "users", "tokens", "sessions", "settings", "plugins", "plugins/lifecycle", "nodes", "plans", "backups"],
  ["terminal", "terminal/sessions/1/attach", "agent/control/stream", "agent/terminal/stream", "agent/upload/x"],
  ["audit", "audit/verify", "logs", "kv", "sites", "marketplace", "swagger", "docs", "pprof", "env", "config", "state"],
  ["metrics/", "health/", "version/x", "openapi", "openapi.yaml", ".well-known/x", "events/x", "ready/live"],
);

const server = await sharedServer({ env: { SERVICE_METRICS_TOKEN: "m".repeat(40), SERVICE_TRUST_PROXY: "1" } });
test("a path that no row names gives nothing, whatever the method", async (context) => {
  const chance = new Chance("families");
  const invented = Array.from({ length: 60 }, () => `${chance.word(5)}/${chance.word(8)}`);
  const known = new Set<string>([...contractRows, ...contractSockets].map(({ path }) => path));
  const paths = [...families, ...invented].map((family) => `/api/${family}`).filter((path) => !known.has(path));
  const requests = paths.flatMap((path) => methods.map((method) => ({ method, path })));
  const answers = await inLanes(requests, 8, (request) => send(server.port, request));
  const open = answers.flatMap(({ status }, at) => ([401, 404].includes(status) ? [] : [{ ...requests[at], status }]));
  expect(open).toEqual([]);
  tried(context, `${count(requests.length, "requests")} to ${count(paths.length, "unknown paths")}`);
});

test("every row of the contract says who may call it, and every route that exists is such a row", async (context) => {
  const { operations } = await readOpenApi(server.port);
  const named = (method: string, path: string) =>
    contractRows.find((row) => row.method === method && row.path === path);
  for (const { method, path, security } of operations) {
    const row = named(method, path.replaceAll(/\{([a-zA-Z]+)\}/g, ":$1"));
    expect(row, `${method} ${path}`).toBeDefined();
    if (row?.access.kind === "public") expect(row.access.because.length).toBeGreaterThan(10);
    else expect(security?.length, `${method} ${path} names its credential`).toBeGreaterThan(0);
  }
  expect(operations.length).toBeGreaterThanOrEqual(7);

  const closed = operations.filter(({ security }) => security === undefined || security.length > 0);
  const hopeless: readonly (readonly [string, string])[][] = [
    [],
    [["Authorization", "Bearer guess"]],
    [["Cookie", "gatehouse=guess; __Host-gatehouse=guess"]],
    [["X-Forwarded-User", "admin"]],
    [["X-Original-URL", "/api/health"]],
  ];
  for (const { method, path } of closed) {
    for (const headers of hopeless) {
      const plain = path.replaceAll(/\{[a-zA-Z]+\}/g, "1");
      const { status } = await send(server.port, { method, path: plain, headers: [newClient(), ...headers] });
      expect([401, 403], `${method} ${path}`).toContain(status);
    }
  }
  tried(context, `${count(operations.length, "routes")} compared with the contract`);
});

/** A row as only a mistake could make it: the compiler refuses all of these. */
const sloppyRows: Readonly<Record<string, unknown>> = {
  "no access": undefined,
  "access null": null,
  "access by a text": "public",
  "access of an unknown kind": { kind: "anybody" },
  "access of no kind": {},
  "a scope that does not exist": { kind: "scope", scope: "plugin:owner", nodes: "every" },
  "a scope without a name": { kind: "scope", nodes: "every" },
  "a kind in capitals": { kind: "PUBLIC", because: "a slip" },
  "nothing about nodes": { kind: "scope", scope: "node:read" },
  "an unknown word about nodes": { kind: "signed-in", nodes: "all" },
  "no node, without a reason": { kind: "signed-in", nodes: { none: "" } },
  "a node in a parameter that is not there": { kind: "scope", scope: "node:read", nodes: { param: "id" } },
};
const somebody: Principal = {
  id: "user_1",
  credential: { kind: "token", id: "token_1" },
  scopes: new Set(["node:read"]),
  authenticatedAt: Date.now(),
};

test("a row that does not say who may call it is never answered, not even to somebody who is signed in", async (context) => {
  const failed: string[] = [];
  for (const [name, access] of Object.entries(sloppyRows)) {
    const spec = { method: "GET", path: "/api/planted/sloppy", summary: "x", access, responses: { 200: z.unknown() } };
    const route = spyRoute(spec as RouteSpec);
    const statuses = await askSloppy(route);
    if (route.runs() > 0) failed.push(`${name}: answered ${statuses.join(" and ")}`);
  }
  expect(failed).toEqual([]);
  tried(context, count(Object.keys(sloppyRows).length, "rows without proper access"));
});

/** Asks without and with a credential. Not starting at all is the best refusal. */
async function askSloppy(route: Route): Promise<number[]> {
  try {
    await using server = await startPlanted({ routes: [route], authenticate: () => ({ principal: somebody }) });
    const path = "/api/planted/sloppy";
    const stranger = await send(server.port, { path });
    const signedIn = await send(server.port, { path, headers: [["Authorization", "Bearer right"]] });
    return [stranger.status, signedIn.status];
  } catch {
    return [];
  }
}
