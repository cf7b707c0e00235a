import { ownersKind, recordKinds } from "@gatehouse/contract/records";
import { roles, scopeNames } from "@gatehouse/contract";
import { type Session, type User, usersRoute, type WhoAmI } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { expectNoSecretKept, newVisitor, startAuthServer, tagOf, tokenVisitor } from "./auth-server.ts";
import { ownerPassword, type Visitor } from "./visitor.ts";

const users = "/api/users";
const whoami = "/api/auth/whoami";
const password = "nine lazy otters";

const create = (visitor: Visitor, username: string, role: string, headers: Record<string, string> = {}) =>
  visitor.call<User>("POST", users, { body: { username, role, password }, headers });

async function idOf(visitor: Visitor): Promise<string> {
  return (await visitor.call<WhoAmI>("GET", whoami)).body.user.id;
}

async function change(owner: Visitor, id: string, body: Record<string, unknown>, by = owner) {
  return by.call<User>("PATCH", `${users}/${id}`, { body, headers: await tagOf(owner, id) });
}

describe("users", () => {
  test("are created with a first password, listed in pages, and shown without their hash", async () => {
    const server = await startAuthServer();
    server.secrets.add(password);
    const owner = await server.visitor().signIn();
    server.clock.advance(1);
    const made = await create(owner, "maria", "operator");
    server.clock.advance(1);
    expect([made.status, made.headers.get("etag")]).toEqual([201, expect.stringMatching(/^"\d+"$/)]);
    expect(made.body).toMatchObject({ username: "maria", role: "operator", disabled: false });
    await create(owner, "noor", "viewer");
    const first = await owner.call<{ items: User[]; nextCursor: string }>("GET", `${users}?limit=2`);
    expect(usersRoute.responses[200].parse(first.body).items.map(({ username }) => username)).toEqual([
      "admin",
      "maria",
    ]);
    const second = await owner.call<{ items: User[] }>("GET", `${users}?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ items: [{ username: "noor" }], nextCursor: null });
    const one = await owner.call<User>("GET", `${users}/${made.body.id}`);
    expect([one.body, one.headers.get("etag")]).toEqual([made.body, made.headers.get("etag")]);
    expect(JSON.stringify([first.body, second.body, one.body])).not.toMatch(/argon2|hash/i);
    await server.visitor().signIn("maria", password);
    expect((await server.audit()).find(({ subject }) => subject === `user/${made.body.id}`)).toMatchObject({
      actor: await idOf(owner),
      action: "user.created",
      detail: { username: "maria", role: "operator" },
    });
    await expectNoSecretKept(server);
  });

  test("have unique names", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    expect((await create(owner, "maria", "viewer")).status).toBe(201);
    expect((await create(owner, "maria", "viewer")).code).toBe("user.name_taken");
  });

  test("are created once per key", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const key = { "Idempotency-Key": "k1" };
    const [first, again] = [await create(owner, "maria", "viewer", key), await create(owner, "maria", "viewer", key)];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await create(owner, "maria", "operator", key)).code).toBe("request.key_reused");
    const headers = await tagOf(owner, first.body.id);
    expect((await owner.call("DELETE", `${users}/${first.body.id}`, { headers })).status).toBe(204);
    expect((await create(owner, "maria", "viewer", key)).code).toBe("user.unknown");
  });

  test("need a name of the closed form, a known role and a password that can be used", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    for (const username of ["Maria", "ma ria", "-m", "m".repeat(64), "mаria", "", "maria@x"]) {
      expect((await create(owner, username, "viewer")).code, username).toBe("request.malformed");
    }
    expect((await create(owner, "maria", "root")).code).toBe("request.malformed");
    const weak = { username: "maria", role: "viewer", password: "password1234" };
    expect((await owner.call("POST", users, { body: weak })).code).toBe("auth.password_unacceptable");
  });

  test("are created and changed only by a fresh sign-in of somebody who holds user:admin", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    for (const role of roles.filter((name) => name !== "owner")) {
      const visitor = await newVisitor(server, owner, role);
      expect((await create(visitor, "maria", "viewer")).code).toBe("auth.scope_missing");
      expect((await change(owner, await idOf(visitor), { role: "owner" }, visitor)).code).toBe("auth.scope_missing");
      expect((await visitor.call("GET", users)).code).toBe("auth.scope_missing");
    }
    const { visitor } = await tokenVisitor(server, owner, { scopes: ["user:admin"] });
    const byToken = await create(visitor, "maria", "viewer");
    expect(byToken.status).toBe(403);
    const { body: ines } = await create(owner, "ines", "viewer");
    server.clock.advance(5 * 60_000 + 1);
    const needsProof = "auth.step_up_required";
    expect((await create(owner, "maria", "viewer")).code).toBe(needsProof);
    for (const body of [
      { role: "owner" },
      { role: "viewer" },
      { disabled: true, role: "owner" },
      { disabled: false },
    ]) {
      expect((await change(owner, ines.id, body)).code, JSON.stringify(body)).toBe(needsProof);
    }
    expect((await change(owner, ines.id, { disabled: true })).status, "lowering needs no proof").toBe(200);
    expect((await change(owner, ines.id, { disabled: false })).code).toBe(needsProof);
    const headers = await tagOf(owner, ines.id);
    expect((await owner.call("DELETE", `${users}/${ines.id}`, { headers })).code).toBe(needsProof);
  });

  test("get no role and are not enabled by a token, whatever it holds: what it gave would outlive it", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const { body: maria } = await create(owner, "maria", "viewer");
    const { visitor } = await tokenVisitor(server, owner, { scopes: scopeNames });
    expect((await change(owner, maria.id, { disabled: true }, visitor)).status).toBe(200);
    for (const body of [{ role: "owner" }, { disabled: false }, { role: "viewer", disabled: true }]) {
      const answer = await change(owner, maria.id, body, visitor);
      expect([answer.status, answer.code], JSON.stringify(body)).toEqual([403, "auth.session_required"]);
    }
    const shown = await owner.call<User>("GET", `${users}/${maria.id}`);
    expect(shown.body).toMatchObject({ role: "viewer", disabled: true });
  });
});

describe("a change", () => {
  test("needs the ETag of what was seen", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const { body: maria } = await create(owner, "maria", "viewer");
    const path = `${users}/${maria.id}`;
    expect((await owner.call("PATCH", path, { body: { disabled: true } })).code).toBe("request.malformed");
    const headers = await tagOf(owner, maria.id);
    const changed = await owner.call<User>("PATCH", path, { body: { role: "auditor" }, headers });
    expect([changed.status, changed.body.role]).toEqual([200, "auditor"]);
    const next = await tagOf(owner, maria.id);
    expect(next["If-Match"]).not.toBe(headers["If-Match"]);
    expect(next["If-Match"]).toBe(changed.headers.get("etag"));
    const stale = await owner.call("PATCH", path, { body: { role: "owner" }, headers });
    expect([stale.status, stale.code]).toEqual([412, "request.stale"]);
    expect((await owner.call("DELETE", path, { headers })).code).toBe("request.stale");
    const same = await owner.call<User>("PATCH", path, { body: { role: "auditor" }, headers: next });
    expect(same.headers.get("etag"), "what changes nothing is no change").toBe(next["If-Match"]);
    expect((await owner.call("PATCH", path, { body: {}, headers })).code).toBe("request.malformed");
    const nobody = `${users}/usr_${"0".repeat(26)}`;
    expect((await owner.call("PATCH", nobody, { body: { disabled: true }, headers })).code).toBe("user.unknown");
    expect((await owner.call("GET", nobody)).code).toBe("user.unknown");
  });

  test("of the role ends the user's sessions; the next ones hold the new role", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const operator = await newVisitor(server, owner, "operator");
    const id = await idOf(operator);
    expect((await change(owner, id, { role: "auditor" })).status).toBe(200);
    expect((await operator.call("GET", whoami)).status).toBe(401);
    await operator.signIn("operator", "the operator has otters");
    expect((await operator.call<WhoAmI>("GET", whoami)).body.scopes).not.toContain("plan:apply");
    expect((await server.audit()).find(({ action }) => action === "user.changed")).toMatchObject({
      subject: `user/${id}`,
      detail: { from: { role: "operator", disabled: false }, to: { role: "auditor", disabled: false } },
    });
  });

  test("that disables takes effect at the next request, and at the next sign-in", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const viewer = await newVisitor(server, owner, "viewer");
    const token = await tokenVisitor(server, viewer, { scopes: ["plan:read"] });
    await change(owner, await idOf(viewer), { disabled: true });
    expect((await viewer.call("GET", whoami)).status).toBe(401);
    expect((await token.visitor.call("GET", whoami)).status).toBe(401);
    const body = { username: "viewer", password: "the viewer has otters" };
    expect((await server.visitor().call("POST", "/api/auth/login", { body })).code).toBe("auth.sign_in_refused");
  });

  test("that removes leaves nothing of the user but the audit log, and frees the name", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const viewer = await newVisitor(server, owner, "viewer");
    const id = await idOf(viewer);
    const token = await tokenVisitor(server, viewer, { scopes: ["plan:read"] });
    const removed = await owner.call("DELETE", `${users}/${id}`, { headers: await tagOf(owner, id) });
    expect(removed.status).toBe(204);
    expect((await viewer.call("GET", whoami)).status).toBe(401);
    expect((await token.visitor.call("GET", whoami)).status).toBe(401);
    for (const kind of recordKinds) {
      expect(JSON.stringify(await server.store.list(kind)), kind.name).not.toContain(id);
    }
    expect((await create(owner, "viewer", "viewer")).body.id).not.toBe(id);
    expect((await server.audit()).find(({ action }) => action === "user.removed")).toMatchObject({
      subject: `user/${id}`,
      detail: { username: "viewer" },
    });
  });
});

describe("owners", () => {
  test("the last enabled one can be neither demoted nor disabled nor removed", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const id = await idOf(owner);
    for (const body of [{ role: "viewer" }, { disabled: true }, { role: "auditor", disabled: true }]) {
      expect((await change(owner, id, body)).code).toBe("user.last_owner");
    }
    const headers = await tagOf(owner, id);
    expect((await owner.call("DELETE", `${users}/${id}`, { headers })).code).toBe("user.last_owner");
    const { body: second } = await create(owner, "second", "owner");
    expect((await change(owner, second.id, { disabled: true })).status).toBe(200);
    expect((await change(owner, id, { role: "viewer" })).code, "a disabled owner does not count").toBe(
      "user.last_owner",
    );
    expect((await change(owner, second.id, { disabled: false })).status).toBe(200);
    expect((await change(owner, id, { role: "viewer" })).status).toBe(200);
    expect((await server.store.get(ownersKind.key("main")))?.value).toEqual({ ids: [second.id] });
  });
});

describe("nobody gives what they do not hold", () => {
  test("a token with user:admin alone disables and removes nobody, because everybody holds more", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const { body: maria } = await create(owner, "maria", "viewer");
    const { visitor } = await tokenVisitor(server, owner, { scopes: ["user:admin"] });
    const answer = await change(owner, maria.id, { disabled: true }, visitor);
    expect([answer.status, answer.code]).toEqual([403, "user.beyond_own"]);
    const headers = await tagOf(owner, maria.id);
    expect((await visitor.call("DELETE", `${users}/${maria.id}`, { headers })).code).toBe("user.beyond_own");
  });

  test("a token that holds what viewers hold disables viewers, and nobody who holds more", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const { body: maria } = await create(owner, "maria", "viewer");
    const scopes = ["user:admin", "node:read", "plan:read", "log:read"];
    const { visitor, id } = await tokenVisitor(server, owner, { scopes });
    const { body: ines } = await create(owner, "ines", "auditor");
    for (const id of [ines.id, await idOf(owner)]) {
      expect((await change(owner, id, { disabled: true }, visitor)).code).toBe("user.beyond_own");
    }
    expect((await change(owner, maria.id, { disabled: true }, visitor)).status).toBe(200);
    expect((await server.audit()).at(-1)).toMatchObject({ actor: `token:${id}`, action: "user.changed" });
  });
});

test("sessions of one user are not another's to list or to end", async () => {
  const server = await startAuthServer();
  const owner = await server.visitor().signIn();
  const viewer = await newVisitor(server, owner, "viewer");
  const own = await viewer.call<{ items: Session[] }>("GET", "/api/auth/sessions");
  expect(own.body.items).toHaveLength(1);
  const foreign = (await owner.call<WhoAmI>("GET", whoami)).body.credential.id;
  expect((await viewer.call("DELETE", `/api/auth/sessions/${foreign}`)).code).toBe("session.unknown");
  expect((await owner.call("GET", whoami)).status).toBe(200);
  expect((await viewer.call("DELETE", "/api/auth/sessions")).status).toBe(204);
  expect((await owner.call("GET", whoami)).status).toBe(200);
  await server.visitor().signIn("admin", ownerPassword);
});
