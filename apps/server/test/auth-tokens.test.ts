import { idempotencyKind, sessionKind, tokenKind } from "@gatehouse/contract/records";
import { put } from "@gatehouse/store/decide";
import { scopeNames, tokenForm } from "@gatehouse/contract";
import { issuedToken, type Token, tokensRoute, type WhoAmI } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { type AuthServer, expectNoSecretKept, newVisitor, startAuthServer, tokenVisitor } from "./auth-server.ts";
import { type Visitor } from "./visitor.ts";

const tokens = "/api/tokens";
const whoami = "/api/auth/whoami";
const day = 24 * 60 * 60_000;

const issue = (visitor: Visitor, wanted: Record<string, unknown>, headers: Record<string, string> = {}) =>
  visitor.call<Token & { token: string; id: string }>("POST", tokens, {
    body: { name: "deploy", scopes: ["plan:read"], ...wanted },
    headers,
  });

async function userId(visitor: Visitor): Promise<string> {
  return (await visitor.call<WhoAmI>("GET", whoami)).body.user.id;
}

async function changeUser(owner: Visitor, id: string, body: Record<string, unknown>): Promise<number> {
  const read = await owner.call("GET", `/api/users/${id}`);
  const headers = { "If-Match": read.headers.get("etag") ?? "" };
  return (await owner.call("PATCH", `/api/users/${id}`, { body, headers })).status;
}

describe("issuing", () => {
  test("shows the token once, keeps its digest, and is audited", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const { status, body } = await issue(owner, { scopes: ["plugin:admin"] });
    expect(status).toBe(201);
    expect(issuedToken.parse(body)).toMatchObject({ name: "deploy", class: "automation", scopes: ["plugin:admin"] });
    expect(body.token).toMatch(tokenForm);
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(day);
    server.secrets.add(body.token);
    const list = await owner.call<{ items: Token[] }>("GET", tokens);
    expect(tokensRoute.responses[200].parse(list.body).items).toHaveLength(1);
    expect(JSON.stringify(list.body)).not.toContain(body.token.slice(-49));
    expect((await server.audit()).at(-1)).toMatchObject({
      action: "token.issued",
      subject: `token/${body.id}`,
      detail: { scopes: ["plugin:admin"], class: "automation" },
    });
    await expectNoSecretKept(server);
  });

  test("needs a fresh sign-in, and never a token", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const { visitor } = await tokenVisitor(server, owner, { scopes: scopeNames });
    const byToken = await issue(visitor, {});
    expect(byToken.status).toBe(403);
    expect(["auth.step_up_required", "auth.session_required"]).toContain(byToken.code);
    server.clock.advance(5 * 60_000 + 1);
    expect((await issue(owner, {})).code).toBe("auth.step_up_required");
    expect(await server.store.list(tokenKind)).toHaveLength(1);
  });

  test("is bounded: scopes one holds, a class's scopes, ninety days, a hundred tokens", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const viewer = await newVisitor(server, owner, "viewer");
    const beyond = await issue(viewer, { scopes: ["plan:read", "plan:approve", "user:admin"] });
    expect([beyond.status, beyond.code]).toEqual([403, "token.scope_refused"]);
    expect(beyond.body).toMatchObject({ scopes: ["plan:approve", "user:admin"] });
    const assistant = await issue(owner, { class: "assistant", scopes: ["plan:read", "plan:apply", "terminal:open"] });
    expect(assistant.body).toMatchObject({ code: "token.scope_refused", scopes: ["plan:apply", "terminal:open"] });
    for (const wrong of [
      { expiresInSeconds: 90 * 86_400 + 1 },
      { expiresInSeconds: 0 },
      { expiresInSeconds: 1.5 },
      { scopes: [] },
      { scopes: ["plan:read", "plan:read"] },
      { scopes: ["plan:everything"] },
      { nodes: [] },
      { nodes: ["*"] },
      { nodes: [`nod_${"0".repeat(26)}`] },
      { nodes: [`node_${"0".repeat(25)}`] },
      { nodes: [`node_${"0".repeat(26)}`, `usr_${"0".repeat(26)}`] },
      { class: "root" },
      { name: "" },
      { name: "two\nlines" },
      { more: true },
    ]) {
      expect((await issue(owner, wrong)).code, JSON.stringify(wrong)).toBe("request.malformed");
    }
    expect((await issue(owner, { expiresInSeconds: 90 * 86_400 })).status).toBe(201);
    for (let i = 1; i < 100; i += 1) await issue(owner, {});
    expect((await issue(owner, {})).code).toBe("token.too_many");
    server.clock.advance(day);
    await owner.signIn();
    expect((await issue(owner, {})).status, "ended tokens make room").toBe(201);
    expect((await server.store.list(tokenKind)).length).toBeLessThanOrEqual(100);
  });

  test("twice with one key issues once, and shows nothing twice", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const key = { "Idempotency-Key": "deploy-2026-01" };
    const [first, second] = await Promise.all([issue(owner, {}, key), issue(owner, {}, key)]);
    const [made, repeated] = first?.status === 201 ? [first, second] : [second, first];
    expect(made?.status).toBe(201);
    expect([repeated?.status, repeated?.code]).toEqual([409, "token.already_issued"]);
    expect(repeated?.body.id).toBe(made?.body.id);
    expect(repeated?.body.token).toBeUndefined();
    expect((await issue(owner, { name: "another" }, key)).code).toBe("request.key_reused");
    const viewer = await newVisitor(server, owner, "viewer");
    expect((await issue(viewer, {}, key)).status, "a key belongs to one user").toBe(201);
    server.clock.advance(day);
    await owner.signIn();
    expect((await issue(owner, {}, key)).status, "and is forgotten after a day").toBe(201);
  });
});

describe("a token", () => {
  test("holds what it was given, of what its owner holds at that moment", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const operator = await newVisitor(server, owner, "operator");
    const id = await userId(operator);
    const { visitor } = await tokenVisitor(server, operator, { scopes: ["plan:read", "plan:apply"] });
    const scopes = async () => (await visitor.call<WhoAmI>("GET", whoami)).body.scopes;
    expect(await scopes()).toEqual(["plan:read", "plan:apply"]);
    await changeUser(owner, id, { role: "auditor" });
    expect(await scopes()).toEqual(["plan:read"]);
    await changeUser(owner, id, { role: "owner" });
    expect(await scopes(), "never more than it was given").toEqual(["plan:read", "plan:apply"]);
  });

  test("ends when it expires, when it is revoked, and when its owner is disabled or removed", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const operator = await newVisitor(server, owner, "operator");
    const id = await userId(operator);
    const short = await tokenVisitor(server, operator, { scopes: ["plan:read"], expiresInSeconds: 60 });
    const [first, second] = [
      await tokenVisitor(server, operator, { scopes: ["plan:read"] }),
      await tokenVisitor(server, operator, { scopes: ["plan:read"] }),
    ];
    const status = async ({ visitor }: { visitor: Visitor }) => (await visitor.call("GET", whoami)).status;
    server.clock.advance(60_000 - 1);
    expect(await status(short)).toBe(200);
    server.clock.advance(1);
    expect(await status(short)).toBe(401);
    expect((await operator.call("DELETE", `${tokens}/${first.id}`)).status).toBe(204);
    expect((await operator.call("DELETE", `${tokens}/${first.id}`)).status, "revoking again is no change").toBe(204);
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    await changeUser(owner, id, { disabled: true });
    expect(await status(second)).toBe(401);
    await changeUser(owner, id, { disabled: false });
    expect(await status(second), "enabling brings nothing back").toBe(401);
  });

  test("is refused when one character is another, when its secret is another's, and as a cookie", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const [one, two] = [
      await tokenVisitor(server, owner, { scopes: ["plan:read"] }),
      await tokenVisitor(server, owner, { scopes: ["plan:read"] }),
    ];
    const attempts = [
      `${one.token.slice(0, -1)}${one.token.endsWith("a") ? "b" : "a"}`,
      one.token.slice(0, 21) + two.token.slice(21),
      one.token.slice(0, 20),
      `gth_${one.id}`,
      one.id,
    ];
    for (const token of attempts) {
      const visitor = server.visitor();
      visitor.bearer = token;
      expect((await visitor.call("GET", whoami)).status).toBe(401);
    }
    const visitor = server.visitor();
    visitor.cookie = `gatehouse=${one.token}`;
    expect((await visitor.call("GET", whoami)).status).toBe(401);
  });

  test("shows its last use and the address it came from", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const { visitor, id } = await tokenVisitor(server, owner, { scopes: ["plan:read"] });
    const read = async () => (await owner.call<{ items: Token[] }>("GET", tokens)).body.items[0];
    expect(await read()).toMatchObject({ lastUsedAt: null, lastAddress: null });
    server.clock.advance(1_000);
    await visitor.call("GET", whoami);
    const used = { lastUsedAt: new Date(server.clock.now()).toISOString(), lastAddress: "127.0.0.1" };
    expect(await read()).toMatchObject(used);
    server.clock.advance(1_000);
    await owner.call("DELETE", `${tokens}/${id}`);
    expect(await read(), "also after it was revoked").toMatchObject(used);
  });
});

describe("whose tokens one sees and revokes", () => {
  async function people(server: AuthServer) {
    const owner = await server.visitor().signIn();
    const [operator, viewer] = [await newVisitor(server, owner, "operator"), await newVisitor(server, owner, "viewer")];
    return {
      owner,
      operator,
      viewer,
      ofOwner: await tokenVisitor(server, owner, { scopes: ["token:admin"] }),
      ofOperator: await tokenVisitor(server, operator, { scopes: ["plan:read"] }),
      ofViewer: await tokenVisitor(server, viewer, { scopes: ["plan:read"] }),
    };
  }
  const listed = async (visitor: Visitor, query = "") => {
    const answer = await visitor.call<{ items: Token[] }>("GET", `${tokens}${query}`);
    return answer.status === 200 ? answer.body.items.map(({ id }) => id).sort() : answer.code;
  };

  test("a user's own, a token's itself, and everybody's with token:admin", async () => {
    const server = await startAuthServer();
    const all = await people(server);
    const everything = [all.ofOwner.id, all.ofOperator.id, all.ofViewer.id].sort();
    expect(await listed(all.operator)).toEqual([all.ofOperator.id]);
    expect(await listed(all.ofOperator.visitor)).toEqual([all.ofOperator.id]);
    expect(await listed(all.owner)).toEqual(everything);
    expect(await listed(all.ofOwner.visitor)).toEqual(everything);
    expect(await listed(all.owner, `?owner=${await userId(all.viewer)}`)).toEqual([all.ofViewer.id]);
    expect(await listed(all.owner, `?owner=${await userId(all.owner)}`)).toEqual([all.ofOwner.id]);
    expect(await listed(all.operator, `?owner=${await userId(all.viewer)}`)).toBe("auth.scope_missing");
  });

  test("pages hold every token once", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    for (let i = 0; i < 7; i += 1) await issue(owner, { name: `token ${i}` });
    for (const filter of ["", `&owner=${await userId(owner)}`]) {
      const seen: string[] = [];
      let cursor = "";
      do {
        const page = await owner.call<{ items: Token[]; nextCursor: string | null }>(
          "GET",
          `${tokens}?limit=3${filter}${cursor}`,
        );
        seen.push(...page.body.items.map(({ id }) => id));
        cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
      } while (cursor !== "");
      expect(new Set(seen).size).toBe(7);
      expect(seen).toHaveLength(7);
    }
  });

  test("somebody else's token does not exist for those who may not see it", async () => {
    const server = await startAuthServer();
    const all = await people(server);
    for (const visitor of [all.viewer, all.ofViewer.visitor]) {
      expect((await visitor.call("DELETE", `${tokens}/${all.ofOperator.id}`)).code).toBe("token.unknown");
    }
    const second = await tokenVisitor(server, all.viewer, { scopes: ["plan:read"] });
    expect((await second.visitor.call("DELETE", `${tokens}/${all.ofViewer.id}`)).code).toBe("token.unknown");
    expect((await second.visitor.call("DELETE", `${tokens}/${second.id}`)).status, "itself it may end").toBe(204);
    expect((await all.ofOwner.visitor.call("DELETE", `${tokens}/${all.ofOperator.id}`)).status).toBe(204);
    expect((await all.owner.call("DELETE", `${tokens}/${all.ofViewer.id}`)).status).toBe(204);
    const revoked = (await server.audit()).filter(({ action }) => action === "token.revoked");
    expect(revoked.map(({ actor }) => actor)).toEqual([
      `token:${second.id}`,
      `token:${all.ofOwner.id}`,
      await userId(all.owner),
    ]);
  });

  test("a token that is limited to nodes sees and revokes itself, and of others not even whether they exist", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const nodes = [`node_${"0".repeat(26)}`];
    const other = await tokenVisitor(server, owner, { scopes: ["plan:read"] });
    const admin = await tokenVisitor(server, owner, { scopes: ["token:admin"], nodes });
    for (const query of ["", `?owner=${await userId(owner)}`]) {
      expect(await listed(admin.visitor, query)).toBe("auth.node_limited");
    }
    for (const id of [other.id, "0000000000000000"]) {
      expect((await admin.visitor.call("DELETE", `${tokens}/${id}`)).code).toBe("auth.node_limited");
    }
    expect((await admin.visitor.call("DELETE", `${tokens}/${admin.id}`)).status).toBe(204);

    const plain = await tokenVisitor(server, owner, { scopes: ["plan:read"], nodes });
    expect(await listed(plain.visitor)).toEqual([plain.id]);
    expect((await plain.visitor.call("DELETE", `${tokens}/${other.id}`)).code).toBe("token.unknown");
    expect((await plain.visitor.call<WhoAmI>("GET", whoami)).body.nodes).toEqual(nodes);
    expect((await plain.visitor.call("DELETE", `${tokens}/${plain.id}`)).status).toBe(204);
  });

  test("a token whose nodes were named in another form when it was issued is limited to them still, and shown", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const old = await tokenVisitor(server, owner, { scopes: ["audit:read"], nodes: [`node_${"0".repeat(26)}`] });
    const nodes = [`nod_${"0".repeat(26)}`];
    const record = await server.store.get(tokenKind.key(old.id));
    if (record === undefined) throw new Error("the token is gone");
    const entry = inventedEntry({ at: 0, actor: "system", action: "test.planted", subject: record.key.text });
    await server.store.commit(entry, [put(record, { ...record.value, nodes })]);
    expect((await old.visitor.call<WhoAmI>("GET", whoami)).body.nodes).toEqual(nodes);
    const list = await owner.call("GET", tokens);
    expect(tokensRoute.responses[200].parse(list.body).items).toMatchObject([{ id: old.id, nodes }]);
    expect((await old.visitor.call("GET", "/api/audit")).code).toBe("auth.node_limited");
  });
});

test("ended tokens leave the list after a month, and old keys leave the store", async () => {
  const server = await startAuthServer();
  const owner = await server.visitor().signIn();
  await issue(owner, { expiresInSeconds: 60 }, { "Idempotency-Key": "one" });
  await issue(owner, { expiresInSeconds: 90 * 86_400 });
  server.clock.advance(day);
  await server.tick();
  expect(await server.store.list(idempotencyKind)).toHaveLength(0);
  expect(await server.store.list(tokenKind)).toHaveLength(2);
  server.clock.advance(30 * day);
  await server.tick();
  expect(await server.store.list(tokenKind)).toHaveLength(1);
  expect(await server.store.list(sessionKind)).toHaveLength(0);
  const before = await server.actions();
  await server.tick();
  expect(await server.actions(), "a sweep that finds nothing writes nothing").toEqual(before);
});
