import { scopesOfRole } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { call, enter, everythingOf, type Headers, newPerson, newToken, type WhoAmI } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Teleport: with the session of one user and the bearer token of another, parts of both were believed. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

test("of two credentials the bearer token alone counts, and never a mix of both", async (context) => {
  const owner = await enter(port);
  const viewer = await newPerson(port, owner, "viewer", "small");
  const [big, small] = [await newToken(port, owner, ["user:admin"]), await newToken(port, viewer, ["node:read"])];
  const pairs = [
    { bearer: small, cookie: owner, id: viewer.id, scopes: ["node:read"], users: 403 },
    { bearer: big, cookie: viewer, id: owner.id, scopes: ["user:admin"], users: 200 },
  ];
  for (const { bearer, cookie, id, scopes, users } of pairs) {
    for (const as of [
      [...bearer.as, ...cookie.as],
      [...cookie.as, ...bearer.as],
    ]) {
      const who = await call<WhoAmI>(port, "GET", "/api/auth/whoami", { as });
      expect(who.body.user.id).toBe(id);
      expect(who.body.credential).toMatchObject({ kind: "token", id: bearer.id });
      expect(who.body.scopes).toEqual(scopes);
      expect((await call(port, "GET", "/api/users", { as })).status).toBe(users);
      // What needs a session is refused, although one lies beside the token.
      for (const path of ["/api/auth/logout", "/api/tokens"]) {
        const body = path === "/api/tokens" ? { name: "x", scopes: ["node:read"] } : undefined;
        const answer = await call(port, "POST", path, { as, ...(body && { body }) });
        expect(answer.code, path).toBe("auth.session_required");
      }
    }
  }
  tried(context, "2 pairs of credentials in both orders");
});

test("a bad bearer token beside a good session is refused, not passed over", async (context) => {
  const owner = await enter(port);
  const revoked = await newToken(port, owner, ["node:read"]);
  expect((await call(port, "DELETE", `/api/tokens/${revoked.id}`, { as: owner.as })).status).toBe(204);
  const before = await everythingOf(port, owner);
  const bad = [
    `Bearer ${revoked.token}`,
    "Bearer x",
    "Bearer ",
    "Bearer",
    "",
    "Basic YWRtaW46YWRtaW4=",
    `Bearer ${owner.cookie.split("=")[1]}`,
    `Bearer ${revoked.token}, Bearer ${revoked.token}`,
  ];
  for (const value of bad) {
    const as: Headers = [...owner.as, ["Authorization", value]];
    for (const [method, path] of [
      ["GET", "/api/auth/whoami"],
      ["GET", "/api/users"],
      ["POST", "/api/auth/logout"],
    ] as const) {
      expect((await call(port, method, path, { as })).status, `${method} ${path} ${value.slice(0, 12)}`).toBe(401);
    }
  }
  expect(await everythingOf(port, owner)).toBe(before);
  tried(context, count(bad.length, "bad tokens beside a good session"));
});

test("two bearer tokens are never both believed, and a stream belongs to the one that counts", async (context) => {
  const owner = await enter(port);
  const viewer = await newPerson(port, owner, "viewer", "reader");
  const [big, small] = [await newToken(port, owner, ["audit:read"]), await newToken(port, viewer, ["node:read"])];
  const holdings = new Map<string, string>([
    [big.id, "audit:read"],
    [small.id, "node:read"],
  ]);
  for (const as of [
    [...big.as, ...small.as],
    [...small.as, ...big.as],
  ]) {
    const { status, body } = await call<WhoAmI>(port, "GET", "/api/auth/whoami", { as });
    if (status === 200) expect(body.scopes).toEqual([holdings.get(body.credential.id)]);
    else expect([400, 401]).toContain(status);
  }
  using stream = openEventStream(port, [...small.as, ["Cookie", owner.cookie]]);
  using other = openEventStream(port, owner.as);
  await stream.until(() => stream.text().includes("\nid: "));
  await other.until(() => other.heard().length > 0);
  expect(stream.heard()).toEqual([]);
  // It ends with the token it was opened with, whatever becomes of the session.
  expect((await call(port, "DELETE", `/api/tokens/${small.id}`, { as: owner.as })).status).toBe(204);
  await stream.until(() => !stream.isOpen());
  expect(other.isOpen()).toBe(true);
  expect(scopesOfRole("viewer")).not.toContain("audit:read");
  tried(context, "two tokens at once, and a stream with both");
});
