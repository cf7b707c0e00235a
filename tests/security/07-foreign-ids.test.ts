import { expect, test } from "vitest";
import { call, enter, everythingOf, newPerson, newToken, type Person } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Coolify, Beszel, Netmaker: whoever knew an id of somebody else could use it. Nodes and plans are to follow. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;
const ifMatch = [["If-Match", '"1"']] as const;

test("an id of another user's session, token or account is refused, and nothing of theirs changes", async (context) => {
  const owner = await enter(port);
  const victim = await newPerson(port, owner, "operator", "victim");
  const victimToken = await newToken(port, victim, ["node:read"]);
  const others: Person[] = [];
  for (const role of ["operator", "approver", "auditor", "viewer"] as const) {
    others.push(await newPerson(port, owner, role, `other-${role}`));
  }
  const ownerToken = await newToken(port, owner, ["node:read"]);
  const tokens = await Promise.all(others.map((other) => newToken(port, other, ["node:read"])));
  const targets = [
    { user: victim, token: victimToken },
    { user: owner, token: ownerToken },
  ];
  const before = await everythingOf(port, owner);
  let requests = 0;
  for (const as of [...others.map((other) => other.as), ...tokens.map((token) => token.as)]) {
    const isToken = as[0]?.[0] === "Authorization";
    for (const { user, token } of targets) {
      const tries = [
        { method: "DELETE", path: `/api/auth/sessions/${user.sessionId}`, codes: ["session.unknown"] },
        { method: "DELETE", path: `/api/tokens/${token.id}`, codes: ["token.unknown"] },
        { method: "GET", path: `/api/tokens?owner=${user.id}`, codes: ["auth.scope_missing"] },
        { method: "GET", path: `/api/users/${user.id}`, codes: ["auth.scope_missing"] },
        { method: "PATCH", path: `/api/users/${user.id}`, body: { disabled: true }, codes: ["auth.scope_missing"] },
        { method: "DELETE", path: `/api/users/${user.id}`, codes: ["auth.scope_missing"] },
      ];
      for (const { method, path, body, codes } of tries) {
        const headers = path.startsWith("/api/users") ? ifMatch : [];
        const asked = { as, headers, ...(body !== undefined && { body }) };
        const answer = await call(port, method, path, asked);
        requests += 1;
        const about = `${method} ${path.replace(/[a-z]{3}_.*/, "…")} ${answer.status} ${answer.code}`;
        expect([403, 404], about).toContain(answer.status);
        expect([...codes, ...(isToken ? ["auth.session_required"] : [])], about).toContain(answer.code);
        // One that exists is refused in the very words of one that does not.
        const invented = path
          .replace(/(usr|ses)_.*/, `$1_${"0".repeat(26)}`)
          .replace(/tokens\/.*/, "tokens/".padEnd(23, "0"));
        const nobodys = await call(port, method, invented, asked);
        expect({ status: nobodys.status, code: nobodys.code }, about).toEqual({
          status: answer.status,
          code: answer.code,
        });
      }
    }
  }
  expect(await everythingOf(port, owner)).toBe(before);
  for (const as of [victim.as, victimToken.as, owner.as, ownerToken.as]) {
    expect((await call(port, "GET", "/api/auth/whoami", { as })).status).toBe(200);
  }
  tried(context, count(requests, "requests with ids of others"));
});

test("lists hold one's own things, wherever a foreign cursor says they begin", async (context) => {
  const owner = await enter(port);
  const [one, two] = [await newPerson(port, owner, "operator", "one"), await newPerson(port, owner, "operator", "two")];
  const [ownToken, foreignToken] = [await newToken(port, one, ["node:read"]), await newToken(port, two, ["node:read"])];
  const ids = async (path: string) => {
    const { status, body } = await call<{ items: { id: string }[] }>(port, "GET", path, { as: one.as });
    expect(status).toBe(200);
    return body.items.map(({ id }) => id);
  };
  const lowest = "0".repeat(26);
  for (const cursor of ["", `?cursor=ses_${lowest}`, `?cursor=${owner.sessionId}`]) {
    expect(await ids(`/api/auth/sessions${cursor}`)).toEqual([one.sessionId]);
  }
  expect(await ids(`/api/auth/sessions?cursor=${two.sessionId}`)).toEqual([]);
  for (const query of [
    "",
    `?cursor=${"0".repeat(16)}`,
    `?owner=${one.id}`,
    `?owner=${one.id}&cursor=${"0".repeat(16)}`,
  ]) {
    expect(await ids(`/api/tokens${query}`)).toEqual([ownToken.id]);
  }
  expect(await ids(`/api/tokens?cursor=${foreignToken.id}`)).not.toContain(foreignToken.id);
  tried(context, "8 lists with cursors of others");
});
