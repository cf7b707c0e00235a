import * as contract from "@gatehouse/contract";
import {
  type Role,
  type RouteSpec,
  roles,
  type Scope,
  scopeNames,
  scopesOfRole,
  scopesOfTokenClass,
} from "@gatehouse/contract";
import { recordKinds, tokenKind, userKind } from "@gatehouse/contract/records";
import { put } from "@gatehouse/store/change";
import { describe, expect, test } from "vitest";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { type AuthServer, newVisitor, startAuthServer, tokenVisitor, type Visitor } from "./auth-server.ts";

/** One request per route that would do something if it were let in. A route without one fails the test below. */
const samples: Readonly<Record<string, Sample>> = {
  "GET /api/health": {},
  "GET /api/ready": {},
  "GET /api/version": {},
  "GET /api/openapi.json": {},
  "GET /api/metrics": {},
  "POST /api/csp-reports": { body: {} },
  "GET /api/events": {},
  "POST /api/auth/login": { body: { username: "admin", password: "not the password" } },
  "POST /api/auth/logout": {},
  "POST /api/auth/step-up": { body: { password: "not the password" } },
  "GET /api/auth/whoami": {},
  "GET /api/auth/sessions": {},
  "DELETE /api/auth/sessions": {},
  "DELETE /api/auth/sessions/:id": { id: "ses_00000000000000000000000000" },
  "POST /api/auth/password": { body: { currentPassword: "not the password", newPassword: "eight lazy otters" } },
  "GET /api/tokens": {},
  "POST /api/tokens": { body: { name: "more", scopes: ["node:read"] } },
  "DELETE /api/tokens/:id": { id: "0000000000000000" },
  "GET /api/users": {},
  "POST /api/users": { body: { username: "mallory", role: "owner", password: "eight lazy otters" } },
  "GET /api/users/:id": { id: "usr_00000000000000000000000000" },
  "PATCH /api/users/:id": {
    id: "usr_00000000000000000000000000",
    headers: { "If-Match": '"1"' },
    body: { role: "owner" },
  },
  "DELETE /api/users/:id": { id: "usr_00000000000000000000000000", headers: { "If-Match": '"1"' } },
  "GET /api/audit": {},
  "GET /api/audit/verify": {},
  "GET /api/audit/witness": {},
  "GET /api/plugins/lifecycle": {},
  "POST /api/plugins/lifecycle": { body: { id: "netguard", status: "installed" } },
  "POST /api/plugins/verify": { body: { id: "netguard" } },
  "POST /api/plugins/:id/actions/:action": { id: "netguard", action: "health", body: {} },
  "GET /api/plugins/trust": {},
  "GET /api/plugins/contributions": {},
  "GET /api/marketplace": {},
};

interface Sample {
  readonly id?: string;
  readonly action?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** What a token is never let in to, whatever it holds, although the row asks for no scope. */
const sessionOnly = new Set([
  "POST /api/auth/logout",
  "POST /api/auth/step-up",
  "GET /api/auth/sessions",
  "DELETE /api/auth/sessions",
  "DELETE /api/auth/sessions/:id",
  "POST /api/auth/password",
]);

/** A visitor, and what the table says that they are. */
interface Case {
  readonly name: string;
  readonly visitor: Visitor;
  readonly headers?: Record<string, string>;
  readonly is: "nobody" | "refused" | "session" | "stale session" | "session on a foreign page" | "token";
  readonly scopes: ReadonlySet<Scope>;
}

/** The whole policy in one place: the verdict on a visitor at a row, by its status and code. */
function verdict(spec: RouteSpec, { is, scopes }: Case): string {
  const { access } = spec;
  if (access.kind === "public") return isForeign(spec, is) ? "403 auth.cross_site" : "in";
  if (access.kind === "metrics-token") return "403 server.metrics_disabled";
  if (is === "nobody") return "401 auth.credential_required";
  if (is === "refused") return "401 auth.credential_refused";
  if (isForeign(spec, is)) return "403 auth.cross_site";
  if (access.kind === "scope" && !scopes.has(access.scope)) return "403 auth.scope_missing";
  if (access.stepUp === true && is === "token") return "403 auth.session_required";
  if (access.stepUp === true && is !== "session") return "403 auth.step_up_required";
  return is === "token" && sessionOnly.has(`${spec.method} ${spec.path}`) ? "403 auth.session_required" : "in";
}

function isForeign(spec: RouteSpec, is: Case["is"]): boolean {
  return is === "session on a foreign page" && spec.method !== "GET" && spec.anySite === undefined;
}

describe("every route, with every scope and every kind of credential", () => {
  test("lets in whom the table says and nobody else, and what it refuses leaves no trace", async () => {
    const server = await startAuthServer({ withoutRates: true });
    const cases = await allCases(server);
    const before = await stateOf(server);
    const wrong: string[] = [];
    let calls = 0;
    for (const { spec } of server.table.routes) {
      const route = `${spec.method} ${spec.path}`;
      for (const one of cases) {
        const expected = verdict(spec, one);
        const found = await ask(spec, one, expected === "in");
        calls += 1;
        if (found !== expected) wrong.push(`${route} as ${one.name}: expected ${expected}, found ${found}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(calls).toBe(server.table.routes.length * cases.length);
    expect(calls).toBeGreaterThan(2_000);
    expect(await stateOf(server)).toBe(before);
  });

  test("is every row of the contract, and each has a request to try it with", async () => {
    const server = await startAuthServer();
    const served = server.table.routes.map(({ spec }) => `${spec.method} ${spec.path}`).sort();
    const rows = (Object.values(contract) as unknown[]).filter(isRow).map(({ method, path }) => `${method} ${path}`);
    expect(served).toEqual(rows.sort());
    expect(Object.keys(samples).sort()).toEqual(served);
  });

  test("a GET changes nothing, whoever asks", async () => {
    const server = await startAuthServer({ withoutRates: true });
    const owner = await server.visitor().signIn();
    const { visitor: token } = await tokenVisitor(server, owner, { scopes: scopeNames });
    const before = await stateOf(server);
    for (const { spec } of server.table.routes) {
      if (spec.method !== "GET" || spec.path === "/api/events") continue;
      for (const visitor of [owner, token, server.visitor()]) {
        for (const method of ["GET", "HEAD"]) await visitor.call(method, pathOf(spec));
      }
    }
    await server.tick();
    expect(await stateOf(server)).toBe(before);
  });
});

/**
 * Whoever should be refused sends a request that would do something. Whoever should get in sends one that only the
 * row's schema refuses, right behind the gate, so that one visitor does not sign another out.
 */
async function ask(spec: RouteSpec, { visitor, headers }: Case, getsIn: boolean): Promise<string> {
  const sample = samples[`${spec.method} ${spec.path}`] ?? {};
  const path = pathOf(spec) + (getsIn ? "?unknown=1" : "");
  const answer = await visitor.call(spec.method, path, {
    ...(sample.body !== undefined && { body: sample.body }),
    headers: { ...sample.headers, ...headers },
  });
  if (answer.code === "request.malformed") return "in";
  return answer.status === 200 && spec.probe === true ? "in" : `${answer.status} ${answer.code}`;
}

function pathOf(spec: RouteSpec): string {
  const { id = "", action = "" } = samples[`${spec.method} ${spec.path}`] ?? {};
  return spec.path.replace(":id", id).replace(":action", action);
}

function isRow(value: unknown): value is RouteSpec {
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "responses" in value;
}

/** Every record and the end of the chain, which every change moves. */
async function stateOf(server: AuthServer): Promise<string> {
  const records = await Promise.all(recordKinds.map((kind) => server.store.list(kind)));
  return JSON.stringify([await server.store.head(), records]);
}

async function allCases(server: AuthServer): Promise<readonly Case[]> {
  const admin = await server.visitor().signIn();
  for (const role of roles) await newVisitor(server, admin, role);
  const leaver = await newVisitor(server, admin, "owner", "leaver");
  const passwordOf = (name: string) => `the ${name} has otters`;
  const signIn = (role: Role) => server.visitor().signIn(role, passwordOf(role));
  const stale = await perRole(signIn);
  const expired = await perScope((scope) => tokenVisitor(server, admin, { scopes: [scope], expiresInSeconds: 60 }));
  server.clock.advance(6 * 60_000);
  await admin.signIn();
  await leaver.signIn("leaver", passwordOf("leaver"));

  const fresh = await perRole(signIn);
  const foreign = await perRole(signIn);
  const ended = await perRole(async (role) => {
    const visitor = await signIn(role);
    const { cookie } = visitor;
    await visitor.call("POST", "/api/auth/logout");
    visitor.cookie = cookie;
    return visitor;
  });
  const automation = await perScope((scope) => tokenVisitor(server, admin, { scopes: [scope] }));
  const assistant = await perScope(async (scope) => {
    const issued = await tokenVisitor(server, admin, { scopes: [scope] });
    await makeAssistant(server, issued.id);
    return issued;
  });
  const revoked = await perScope(async (scope) => {
    const issued = await tokenVisitor(server, admin, { scopes: [scope] });
    await admin.call("DELETE", `/api/tokens/${issued.id}`);
    return issued;
  });
  const demoted = await perScope((scope) => tokenVisitor(server, leaver, { scopes: [scope] }));
  await demote(server, admin, "leaver");

  const none = new Set<Scope>();
  const malformed = server.visitor();
  malformed.bearer = "gth_not-a-token";
  const planted = server.visitor();
  planted.cookie = `${fresh[0]?.visitor.cookie}; gatehouse=${"A".repeat(43)}`;
  const crossSite = { "Sec-Fetch-Site": "same-site" };
  const ofAssistant = new Set(scopesOfTokenClass("assistant"));
  const ofViewer = new Set(scopesOfRole("viewer"));
  const cut = (scope: Scope, to: ReadonlySet<Scope>) => new Set([scope].filter((one) => to.has(one)));
  return [
    { name: "nobody", visitor: server.visitor(), is: "nobody", scopes: none },
    { name: "a malformed token", visitor: malformed, is: "refused", scopes: none },
    { name: "two cookies", visitor: planted, is: "refused", scopes: none },
    ...fresh.map(({ key, visitor }) => session(`session of ${key}`, visitor, "session", key)),
    ...stale.map(({ key, visitor }) => session(`stale session of ${key}`, visitor, "stale session", key)),
    ...ended.map(({ key, visitor }) => session(`ended session of ${key}`, visitor, "refused", key)),
    ...foreign.map(({ key, visitor }) => ({
      ...session(`session of ${key} on a foreign page`, visitor, "session on a foreign page", key),
      headers: crossSite,
    })),
    ...automation.map(({ key, visitor }) => token(`automation ${key}`, visitor, "token", new Set([key]))),
    ...assistant.map(({ key, visitor }) => token(`assistant ${key}`, visitor, "token", cut(key, ofAssistant))),
    ...expired.map(({ key, visitor }) => token(`expired ${key}`, visitor, "refused", none)),
    ...revoked.map(({ key, visitor }) => token(`revoked ${key}`, visitor, "refused", none)),
    ...demoted.map(({ key, visitor }) => token(`${key} of a demoted owner`, visitor, "token", cut(key, ofViewer))),
  ];
}

function session(name: string, visitor: Visitor, is: Case["is"], role: Role): Case {
  return { name, visitor, is, scopes: new Set(scopesOfRole(role)) };
}

function token(name: string, visitor: Visitor, is: Case["is"], scopes: ReadonlySet<Scope>): Case {
  return { name, visitor, is, scopes };
}

async function perRole(make: (role: Role) => Promise<Visitor>) {
  const made: { key: Role; visitor: Visitor }[] = [];
  for (const role of roles) made.push({ key: role, visitor: await make(role) });
  return made;
}

async function perScope(make: (scope: Scope) => Promise<{ visitor: Visitor }>) {
  const made: { key: Scope; visitor: Visitor }[] = [];
  for (const scope of scopeNames) made.push({ key: scope, visitor: (await make(scope)).visitor });
  return made;
}

/** The API refuses to issue such a token; the table must hold even if one came to be. */
async function makeAssistant(server: AuthServer, id: string): Promise<void> {
  const record = await server.store.get(tokenKind.key(id));
  if (record === undefined) throw new Error("the token is gone");
  const entry = inventedEntry({ at: 0, actor: "system", action: "test.planted", subject: record.key.text });
  await server.store.commit(entry, [put(record, { ...record.value, class: "assistant" })]);
}

async function demote(server: AuthServer, admin: Visitor, username: string): Promise<void> {
  const users = await server.store.list(userKind);
  const user = users.find(({ value }) => value.username === username);
  const path = `/api/users/${user?.value.id}`;
  const headers = { "If-Match": `"${user?.version}"` };
  expect((await admin.call("PATCH", path, { body: { role: "viewer" }, headers })).status).toBe(200);
}
