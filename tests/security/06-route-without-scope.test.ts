import { roles, type Scope, scopeNames, scopesOfRole } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { Chance, counts } from "./support/chance.ts";
import { inLanes } from "./support/in-lanes.ts";
import { call, enter, everythingOf, type Headers, newPerson, newToken } from "./support/people.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Coolify: one route among many started a terminal and asked nobody for anything. */
const metricsToken = "m".repeat(40);
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_METRICS_TOKEN: metricsToken } });
const { port } = server;

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly description?: string;
}

/** What the server's own description says that a caller needs. */
type Needs =
  | { readonly kind: "nothing" | "metrics" | "credential" }
  | { readonly kind: "scope"; readonly scope: Scope };

interface Caller {
  readonly name: string;
  readonly kind: "nobody" | "refused" | "session" | "token" | "metrics";
  readonly as: Headers;
  readonly scopes: ReadonlySet<string>;
}

test("every route says who may call it, and holds to it for every scope and kind of credential", async (context) => {
  const { body } = await send(port, { path: "/api/openapi.json" });
  const { paths } = JSON.parse(body.toString()) as { paths: Record<string, Record<string, Operation>> };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace("{id}", idFor(path)).replace("{action}", "health"),
      needs: needsOf(operation, `${method} ${path}`),
    })),
  );
  const callers = await allCallers();
  const owner = await enter(port);
  const before = await everythingOf(port, owner);
  const chance = new Chance("tokens");
  const pairs = routes.flatMap((route) => {
    // Of the tokens, the one that holds the scope and some that do not; every other credential at every route.
    const { needs } = route;
    const isRight = ({ scopes }: Caller) => needs.kind === "scope" && scopes.has(needs.scope);
    const tokens = callers.filter(({ kind }) => kind === "token");
    const wrongTokens = chance.sample(
      tokens.filter((caller) => !isRight(caller)),
      counts["06 tokens without the scope"],
    );
    const others = callers.filter(({ kind }) => kind !== "token");
    return [...others, ...tokens.filter(isRight), ...wrongTokens].map((caller) => ({ ...route, caller }));
  });
  const wrong: string[] = [];
  await inLanes(pairs, 8, async ({ method, path, needs, caller }) => {
    // The parameter is refused right behind the gate: whoever gets in is seen to, and changes nothing.
    const headers = method === "GET" ? [] : [["If-Match", '"1"'] as const];
    const answer = await call(port, method, `${path}?unknown=1`, {
      as: caller.as,
      headers,
      ...(method === "POST" && { body: {} }),
    });
    const found = answer.status === 200 || answer.code === "request.malformed" ? "in" : `${answer.status}`;
    const expected = verdict(needs, caller);
    if (found === expected || (expected === "in" && answer.code === "auth.session_required")) return;
    wrong.push(`${method} ${path} as ${caller.name}: expected ${expected}, found ${found} ${answer.code}`);
  });
  expect(wrong).toEqual([]);
  expect(await everythingOf(port, owner)).toBe(before);
  tried(
    context,
    `${count(routes.length, "routes")}, ${count(pairs.length, "calls")} by ${count(callers.length, "credentials")}`,
  );
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

function needsOf({ security, description = "" }: Operation, about: string): Needs {
  expect(security, `${about} says nothing about access`).toBeDefined();
  const kinds = (security ?? []).flatMap((one) => Object.keys(one));
  if (kinds.length === 0) return { kind: "nothing" };
  if (kinds.includes("metrics")) return { kind: "metrics" };
  const scope = /^Needs the scope `([a-z]+:[a-z]+)`/.exec(description)?.[1];
  if (scope === undefined) return { kind: "credential" };
  expect(scopeNames, about).toContain(scope);
  return { kind: "scope", scope: scope as Scope };
}

function verdict(needs: Needs, { kind, scopes }: Caller): string {
  if (needs.kind === "nothing") return "in";
  if (needs.kind === "metrics") return kind === "metrics" ? "in" : "401";
  if (kind === "nobody" || kind === "refused" || kind === "metrics") return "401";
  return needs.kind === "scope" && !scopes.has(needs.scope) ? "403" : "in";
}

function idFor(path: string): string {
  if (path.includes("/tokens/")) return "0".repeat(16);
  if (path.includes("/plugins/")) return "netguard";
  return `${path.includes("/users/") ? "usr" : "ses"}_${"0".repeat(26)}`;
}

async function allCallers(): Promise<readonly Caller[]> {
  const owner = await enter(port);
  const none = new Set<string>();
  const callers: Caller[] = [
    { name: "nobody", kind: "nobody", as: [], scopes: none },
    { name: "a made-up cookie", kind: "refused", as: [["Cookie", `gatehouse=${"A".repeat(43)}`]], scopes: none },
    { name: "a made-up token", kind: "refused", as: [["Authorization", "Bearer gth_x"]], scopes: none },
    { name: "the metrics token", kind: "metrics", as: [["Authorization", `Bearer ${metricsToken}`]], scopes: none },
  ];
  for (const role of roles) {
    const { as } = await newPerson(port, owner, role);
    callers.push({ name: `session of ${role}`, kind: "session", as, scopes: new Set(scopesOfRole(role)) });
  }
  for (const scope of scopeNames) {
    const { as } = await newToken(port, owner, [scope]);
    callers.push({ name: `token ${scope}`, kind: "token", as, scopes: new Set([scope]) });
  }
  return callers;
}
