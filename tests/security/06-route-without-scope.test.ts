import { scopeNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { type Operation, readOpenApi } from "./support/openapi.ts";
import { call, enter, everythingOf, type Headers, newToken } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Coolify: one route among many started a terminal and asked nobody for anything. Every route with every scope, role and
 * credential, through its handler, is apps/server/test/access-matrix.test.ts; here the same promise is asked of the program.
 */
const metricsToken = "m".repeat(40);
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_METRICS_TOKEN: metricsToken } });
const { port } = server;

/** What the server's own description says that a caller needs. */
interface Needs {
  readonly kind: "nothing" | "metrics" | "credential";
  /** Whether a credential that is limited to another node than the one asked about gets in. */
  readonly admitsLimited: boolean;
}

test("every route says who may call it and what about nodes", async (context) => {
  const { operations } = await readOpenApi(port);
  for (const operation of operations) needsOf(operation);
  expect(operations.length).toBeGreaterThan(30);
  tried(context, count(operations.length, "descriptions"));
});

test("nobody, and nobody's credentials, get nothing anywhere but at the public routes", async (context) => {
  const { operations } = await readOpenApi(port);
  const strangers: readonly (readonly [string, Headers])[] = [
    ["nobody", []],
    ["a made-up cookie", [["Cookie", `gatehouse=${"A".repeat(43)}`]]],
    ["a made-up token", [["Authorization", `Bearer gth_${"a".repeat(16)}_${"a".repeat(43)}`]]],
    ["the metrics token", [["Authorization", `Bearer ${metricsToken}`]]],
  ];
  const owner = await enter(port);
  const before = await everythingOf(port, owner);
  const wrong: string[] = [];
  for (const operation of operations) {
    const { kind } = needsOf(operation);
    if (kind === "nothing") continue;
    for (const [name, as] of strangers) {
      const { status } = await ask(operation, as);
      const isScraper = kind === "metrics" && name === "the metrics token";
      if (status !== (isScraper ? 200 : 401)) wrong.push(`${operation.method} ${operation.path} as ${name}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await everythingOf(port, owner)).toBe(before);
  tried(context, `${count(operations.length, "routes")} by ${count(strangers.length, "strangers")}`);
});

test("a token of one node gets in exactly where the description says, and changes nothing", async (context) => {
  const { operations } = await readOpenApi(port);
  const owner = await enter(port);
  // Every scope but the one that makes a limit matter for tokens: with it even its own list is refused.
  const scopes = scopeNames.filter((scope) => scope !== "token:admin");
  const { as } = await newToken(port, owner, scopes, [`node_${"0".repeat(26)}`]);
  const before = await everythingOf(port, owner);
  const wrong: string[] = [];
  for (const operation of operations.filter((one) => needsOf(one).kind === "credential")) {
    const { status, code } = await ask(operation, as);
    const isRefused = code === "auth.node_limited" || code === "auth.session_required";
    const isAnswered = status === 200 || ["token.unknown", "artifact.unknown", "alert.unknown"].includes(code ?? "");
    const isRight = needsOf(operation).admitsLimited ? isAnswered : isRefused;
    if (!isRight) wrong.push(`${operation.method} ${operation.path}: ${status} ${code}`);
  }
  expect(wrong).toEqual([]);
  expect(await everythingOf(port, owner)).toBe(before);
  tried(context, `${count(operations.length, "routes")} by a token of one node`);
});

test("paths that the description does not name are nobody's", async (context) => {
  const owner = await enter(port);
  const paths = ["/api/terminal", "/api/users/me/token", "/api/auth", "/api/admin", "/api/debug", "/api/tokens/new"];
  for (const path of paths) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      const { status } = await call(port, method, path, { as: owner.as });
      expect([400, 404, 405], `${method} ${path}`).toContain(status);
    }
  }
  tried(context, count(paths.length * 5, "unnamed routes"));
});

function needsOf({ method, path, security, description = "" }: Operation): Needs {
  const about = `${method} ${path}`;
  expect(security, `${about} says nothing about access`).toBeDefined();
  const kinds = (security ?? []).flatMap((one) => Object.keys(one as object));
  const kind = kinds.length === 0 ? "nothing" : kinds.includes("metrics") ? "metrics" : "credential";
  const scope = /^Needs the scope `([a-z]+:[a-z]+)`/.exec(description)?.[1];
  if (scope !== undefined) expect(scopeNames, about).toContain(scope);
  const reach = reaches.find(({ words }) => words.test(description));
  if (kind === "credential") expect(reach, `${about} says nothing about nodes`).toBeDefined();
  return { kind, admitsLimited: reach?.admitsLimited ?? false };
}

/** Every sentence there is about nodes. */
const reaches = [
  { words: / A credential that is limited to some nodes is refused\.$/, admitsLimited: false },
  { words: / A credential that is limited to some nodes must have `[a-zA-Z]+` among them\.$/, admitsLimited: false },
  { words: / A credential that is limited to some nodes is answered about those\.$/, admitsLimited: true },
  { words: / Speaks of no node: .{10,}\.$/, admitsLimited: true },
];

/** A request that would do something. A stream is asked for by HEAD: it would not end. */
function ask({ method, path }: Operation, as: Headers) {
  const headers = method === "GET" ? [] : [["If-Match", '"1"'] as const];
  const plain = path.replace("{id}", idFor(path)).replace("{action}", "health").replace("{number}", "0");
  return call(port, path === "/api/events" ? "HEAD" : method, plain, {
    as,
    headers,
    ...(method === "POST" && { body: {} }),
  });
}

function idFor(path: string): string {
  if (path.includes("/tokens/")) return "0".repeat(16);
  if (path.includes("/plugins/")) return "netguard";
  if (path.includes("/alerts/")) return `alert_${"0".repeat(26)}`;
  if (path.includes("/artifacts/")) return `artifact_${"0".repeat(26)}`;
  return `${path.includes("/users/") ? "usr" : "ses"}_${"0".repeat(26)}`;
}
