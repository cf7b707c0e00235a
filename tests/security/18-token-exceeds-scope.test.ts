import { type Scope, scopeNames, scopesOfRole } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { call, change, enter, everythingOf, newPerson, newToken, type WhoAmI } from "./support/people.ts";
import { send } from "./support/raw-http.ts";
import { newClient } from "./support/new-client.ts";
import { admin } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Gitea: a token with a small scope made a large one, or did what its scope does not name. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

const newPassword = "nine patient herons";

/** Every way to a credential that there is: a token, a user, a password, a session. */
const mints: readonly { readonly path: string; readonly body: unknown }[] = [
  { path: "/api/tokens", body: { name: "more", scopes: ["node:read"] } },
  { path: "/api/tokens", body: { name: "more", scopes: scopeNames, expiresInSeconds: 7_000_000 } },
  { path: "/api/users", body: { username: "mallory", role: "viewer", password: newPassword } },
  { path: "/api/users", body: { username: "mallory", role: "owner", password: newPassword } },
  { path: "/api/auth/step-up", body: { password: admin.password } },
  { path: "/api/auth/password", body: { currentPassword: admin.password, newPassword } },
];

test("a token of any scope, and one of all, makes no credential", async (context) => {
  const owner = await enter(port);
  const sets: (readonly Scope[])[] = [...scopeNames.map((scope) => [scope]), scopeNames];
  const tokens: Awaited<ReturnType<typeof newToken>>[] = [];
  for (const scopes of sets) tokens.push(await newToken(port, owner, scopes));
  const before = await everythingOf(port, owner);
  for (const { as } of tokens) {
    for (const { path, body } of mints) {
      const answer = await call(port, "POST", path, { as, body });
      expect(answer.status, path).toBe(403);
      expect(["auth.session_required", "auth.scope_missing"], path).toContain(answer.code);
      expect(answer.raw.headers.has("set-cookie"), path).toBe(false);
    }
  }
  expect(await everythingOf(port, owner)).toBe(before);
  tried(context, `${count(tokens.length, "tokens")} × ${count(mints.length, "ways to a credential")}`);
});

test("a token does what its scope names and nothing else", async (context) => {
  const owner = await enter(port);
  const reads: readonly { readonly path: string; readonly scope: Scope }[] = [
    { path: "/api/users", scope: "user:admin" },
    { path: `/api/users/${owner.id}`, scope: "user:admin" },
    { path: "/api/audit", scope: "audit:read" },
    { path: "/api/audit/verify", scope: "audit:read" },
    { path: `/api/tokens?owner=${owner.id}`, scope: "token:admin" },
  ];
  for (const scope of scopeNames) {
    const { id, as } = await newToken(port, owner, [scope]);
    for (const { path, scope: needed } of reads) {
      const { status, body } = await call<{ items?: { id: string }[] }>(port, "GET", path, { as });
      // A token sees itself in the list of its owner's tokens, and no other without the scope.
      if (path.startsWith("/api/tokens") && scope !== needed) expect(body.items?.map((one) => one.id)).toEqual([id]);
      else expect({ path, scope, status }).toEqual({ path, scope, status: scope === needed ? 200 : 403 });
    }
  }
  tried(context, count(scopeNames.length * reads.length, "reads by tokens of one scope"));
});

test("nobody gives a token what they do not hold, and a demoted owner's token falls with them", async (context) => {
  const owner = await enter(port);
  const viewer = await newPerson(port, owner, "viewer", "small");
  for (const scope of scopeNames) {
    const body = { name: "more", scopes: ["node:read", scope] };
    const { status, code } = await call(port, "POST", "/api/tokens", { as: viewer.as, body });
    if (scope === "node:read") expect(code).toBe("request.malformed");
    else if (scopesOfRole("viewer").includes(scope)) expect(status, scope).toBe(201);
    else expect(code, scope).toBe("token.scope_refused");
  }
  const leaver = await newPerson(port, owner, "owner", "leaver");
  const token = await newToken(port, leaver, scopeNames);
  const holds = async () => (await call<WhoAmI>(port, "GET", "/api/auth/whoami", { as: token.as })).body.scopes;
  expect(await holds()).toEqual(scopeNames);
  for (const role of ["operator", "approver", "auditor", "viewer"] as const) {
    expect((await change(port, owner.as, leaver.id, { role })).status).toBe(200);
    expect(await holds(), role).toEqual(scopesOfRole(role));
    // And it cannot lift its owner up again.
    const lifted = await change(port, token.as, leaver.id, { role: "owner" });
    expect(lifted.code, role).toBe("auth.scope_missing");
    const users = await send(port, { path: "/api/users", headers: [newClient(), ...token.as] });
    expect(users.status, role).toBe(403);
  }
  tried(context, "18 scopes asked for by a viewer; a token through 4 demotions");
});
