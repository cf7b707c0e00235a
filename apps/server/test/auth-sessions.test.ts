import { manualClock } from "@gatehouse/base";
import { type Session, sessionsRoute, type WhoAmI } from "@gatehouse/contract/routes";
import { sessionKind } from "@gatehouse/contract/records";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { describe, expect, test } from "vitest";
import { expectNoSecretKept, startAuthServer, tokenVisitor } from "./auth-server.ts";
import { ownerPassword, type Visitor } from "./visitor.ts";
import { farStore } from "./far-store.ts";

const minute = 60_000;
const hour = 60 * minute;
const whoami = "/api/auth/whoami";
const sessions = "/api/auth/sessions";
const nextPassword = "eight lazy otters";

async function statusOf(visitor: Visitor): Promise<number> {
  return (await visitor.call("GET", whoami)).status;
}

describe("a session", () => {
  test("ends after twelve hours however busy it is", async () => {
    const server = await startAuthServer();
    const visitor = await server.visitor().signIn();
    for (let i = 0; i < 11; i += 1) {
      server.clock.advance(hour);
      expect(await statusOf(visitor)).toBe(200);
    }
    server.clock.advance(hour - 1);
    expect(await statusOf(visitor)).toBe(200);
    server.clock.advance(1);
    expect(await statusOf(visitor)).toBe(401);
  });

  test("ends after two hours without a request", async () => {
    const server = await startAuthServer();
    const visitor = await server.visitor().signIn();
    server.clock.advance(2 * hour - 1);
    expect(await statusOf(visitor)).toBe(200);
    server.clock.advance(2 * hour);
    expect(await statusOf(visitor)).toBe(401);
    expect(await statusOf(visitor), "asking does not wake it").toBe(401);
  });

  test("is as idle after a restart as it was before", async () => {
    const [store, telemetry, clock] = [farStore(), memoryTelemetry(), manualClock()];
    const first = await startAuthServer({ store, telemetry, clock });
    const visitor = await first.visitor().signIn();
    await first.close();
    await telemetry.flush();
    clock.advance(hour);
    const second = await startAuthServer({ store, telemetry, clock });
    const [busy, idle] = [second.visitor(), second.visitor()];
    idle.cookie = (await second.visitor().signIn()).cookie;
    busy.cookie = visitor.cookie;
    expect(await statusOf(busy)).toBe(200);
    await second.close();
    await telemetry.flush();
    clock.advance(2 * hour - 1);
    const third = await startAuthServer({ store, telemetry, clock });
    const again = third.visitor();
    again.cookie = busy.cookie;
    expect(await statusOf(again)).toBe(200);
    clock.advance(1);
    again.cookie = idle.cookie;
    expect(await statusOf(again)).toBe(401);
  });

  test("counts as used at a restart when its last use was lost, unless it was already swept", async () => {
    const [store, clock] = [farStore(), manualClock()];
    const first = await startAuthServer({ store, clock });
    const [kept, swept] = [await first.visitor().signIn(), await first.visitor().signIn()];
    clock.advance(90 * minute);
    expect(await statusOf(kept)).toBe(200);
    clock.advance(hour);
    await first.tick();
    await first.close();
    const second = await startAuthServer({ store, clock });
    const [again, gone] = [second.visitor(), second.visitor()];
    again.cookie = kept.cookie;
    gone.cookie = swept.cookie;
    expect(await statusOf(again)).toBe(200);
    expect(await statusOf(gone)).toBe(401);
    expect(await second.actions()).toContain("auth.swept");
  });

  test("has a new value after every sign-in and every step-up; the old value is dead, the session is not", async () => {
    const server = await startAuthServer();
    const visitor = await server.visitor().signIn();
    const other = await server.visitor().signIn();
    expect(other.cookie).not.toBe(visitor.cookie);
    const before = await visitor.call<WhoAmI>("GET", whoami);
    const old = server.visitor();
    old.cookie = visitor.cookie;
    server.clock.advance(minute);
    const stepped = await visitor.call<WhoAmI>("POST", "/api/auth/step-up", { body: { password: ownerPassword } });
    expect(stepped.status).toBe(200);
    expect(visitor.cookie).not.toBe(old.cookie);
    expect(stepped.body.credential).toEqual(before.body.credential);
    expect(stepped.body.authenticatedAt).not.toBe(before.body.authenticatedAt);
    expect(await statusOf(visitor)).toBe(200);
    expect(await statusOf(old)).toBe(401);
    expect(stepped.headers.get("set-cookie")).toContain("Max-Age=43140");
  });

  test("ends at sign-out, on the server and in the browser", async () => {
    const server = await startAuthServer();
    const visitor = await server.visitor().signIn();
    const { cookie } = visitor;
    const answer = await visitor.call("POST", "/api/auth/logout");
    expect(answer.status).toBe(204);
    expect(answer.headers.get("set-cookie")).toBe("gatehouse=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
    const thief = server.visitor();
    thief.cookie = cookie;
    expect(await statusOf(thief)).toBe(401);
    expect((await server.actions()).at(-1)).toBe("auth.signed_out");
  });

  test("is refused to a cookie that was never given out", async () => {
    const server = await startAuthServer();
    for (const value of ["x", "A".repeat(43), "A".repeat(512), "../../state", "[object]"]) {
      const visitor = server.visitor();
      visitor.cookie = `gatehouse=${value}`;
      expect(await statusOf(visitor)).toBe(401);
    }
  });
});

describe("one's own sessions", () => {
  test("are listed without their values, and one of them is the current one", async () => {
    const server = await startAuthServer();
    const first = await server.visitor().signIn();
    server.clock.advance(1);
    const second = await server.visitor().signIn();
    server.clock.advance(minute);
    const answer = await first.call<{ items: Session[] }>("GET", sessions);
    const { items, nextCursor } = sessionsRoute.responses[200].parse(answer.body);
    expect([items.length, nextCursor]).toEqual([2, null]);
    expect(items.map(({ current }) => current)).toEqual([true, false]);
    expect(items[0]?.lastUsedAt).not.toBe(items[1]?.lastUsedAt);
    for (const cookie of [first.cookie, second.cookie]) {
      expect(JSON.stringify(answer.body)).not.toContain(cookie?.split("=")[1]);
    }
    const page = await first.call<{ items: Session[]; nextCursor: string }>("GET", `${sessions}?limit=1`);
    expect(page.body.nextCursor).toBe(items[0]?.id);
    const rest = await first.call<{ items: Session[] }>("GET", `${sessions}?limit=1&cursor=${page.body.nextCursor}`);
    expect(rest.body).toMatchObject({ items: [{ id: items[1]?.id }], nextCursor: null });
  });

  test("can be ended one by one or all but the current one", async () => {
    const server = await startAuthServer();
    const [own, second, third, fourth] = [
      await server.visitor().signIn(),
      await server.visitor().signIn(),
      await server.visitor().signIn(),
      await server.visitor().signIn(),
    ];
    const id = (await second.call<WhoAmI>("GET", whoami)).body.credential.id;
    expect((await own.call("DELETE", `${sessions}/${id}`)).status).toBe(204);
    expect((await own.call("DELETE", `${sessions}/${id}`)).code).toBe("session.unknown");
    expect([await statusOf(own), await statusOf(second), await statusOf(third)]).toEqual([200, 401, 200]);
    expect((await own.call("DELETE", sessions)).status).toBe(204);
    expect([await statusOf(own), await statusOf(third), await statusOf(fourth)]).toEqual([200, 401, 401]);
    const before = await server.actions();
    expect((await own.call("DELETE", sessions)).status, "nothing to end is no change").toBe(204);
    expect(await server.actions()).toEqual(before);
    const current = (await own.call<WhoAmI>("GET", whoami)).body.credential.id;
    expect((await own.call("DELETE", `${sessions}/${current}`)).headers.get("set-cookie")).toContain("Max-Age=0");
    expect(before.slice(-2)).toEqual(["auth.session_ended", "auth.sessions_ended"]);
  });

  test("are twenty at most: the oldest gives way", async () => {
    const server = await startAuthServer();
    const oldest = await server.visitor().signIn();
    const next = await server.visitor().signIn();
    for (let i = 0; i < 19; i += 1) await server.visitor().signIn();
    expect([await statusOf(oldest), await statusOf(next)]).toEqual([401, 200]);
    expect(await server.store.list(sessionKind)).toHaveLength(20);
  });
});

describe("a password change", () => {
  const change = (visitor: Visitor, currentPassword: string, newPassword: string) =>
    visitor.call("POST", "/api/auth/password", { body: { currentPassword, newPassword } });

  test("ends the other sessions and renews the one that asked", async () => {
    const server = await startAuthServer();
    server.secrets.add(nextPassword);
    const [own, other] = [await server.visitor().signIn(), await server.visitor().signIn()];
    const old = server.visitor();
    old.cookie = own.cookie;
    expect((await change(own, ownerPassword, nextPassword)).status).toBe(204);
    expect([await statusOf(own), await statusOf(old), await statusOf(other)]).toEqual([200, 401, 401]);
    const refused = await server.visitor().call("POST", "/api/auth/login", {
      body: { username: "admin", password: ownerPassword },
    });
    expect(refused.status).toBe(401);
    await server.visitor().signIn("admin", nextPassword);
    expect(await server.actions()).toContain("auth.password_changed");
    await expectNoSecretKept(server);
  });

  test("needs the current password and one that can be used", async () => {
    const server = await startAuthServer();
    const own = await server.visitor().signIn();
    expect((await change(own, "not the password", nextPassword)).code).toBe("auth.password_wrong");
    expect((await change(own, ownerPassword, "short")).code).toBe("auth.password_unacceptable");
    expect((await change(own, ownerPassword, "Password1234!")).code).toBe("auth.password_unacceptable");
    expect(await statusOf(own)).toBe(200);
    expect(await server.actions()).not.toContain("auth.password_changed");
  });

  test("and a step-up slow down whoever guesses with a stolen cookie, whatever strangers do", async () => {
    const server = await startAuthServer();
    const own = await server.visitor().signIn();
    const stepUp = (password: string) => own.call("POST", "/api/auth/step-up", { body: { password } });
    for (let i = 0; i < 3; i += 1) {
      await server
        .visitor()
        .call("POST", "/api/auth/login", { body: { username: "admin", password: "not it at all" } });
    }
    for (let i = 0; i < 2; i += 1) expect((await stepUp("not the password")).code).toBe("auth.password_wrong");
    expect((await change(own, "not the password", nextPassword)).status).toBe(403);
    expect((await stepUp(ownerPassword)).code).toBe("auth.sign_in_throttled");
    server.clock.advance(1_000);
    expect((await stepUp(ownerPassword)).status).toBe(200);
    await server.tick();
    expect(await server.audit()).toContainEqual(
      expect.objectContaining({
        action: "auth.proof_refused",
        detail: expect.objectContaining({ count: 4, throttled: 1 }),
      }),
    );
  });
});

test("a token can do none of this", async () => {
  const server = await startAuthServer();
  const owner = await server.visitor().signIn();
  const { visitor } = await tokenVisitor(server, owner, { scopes: ["user:admin", "token:admin"] });
  const attempts: [string, string, unknown?][] = [
    ["POST", "/api/auth/logout"],
    ["POST", "/api/auth/step-up", { password: ownerPassword }],
    ["POST", "/api/auth/password", { currentPassword: ownerPassword, newPassword: nextPassword }],
    ["GET", sessions],
    ["DELETE", sessions],
    ["DELETE", `${sessions}/ses_${"0".repeat(26)}`],
  ];
  for (const [method, path, body] of attempts) {
    const answer = await visitor.call(method, path, body === undefined ? {} : { body });
    expect([answer.status, answer.code], `${method} ${path}`).toEqual([403, "auth.session_required"]);
  }
  expect((await visitor.call<WhoAmI>("GET", whoami)).body).toMatchObject({ credential: { kind: "token" } });
});
