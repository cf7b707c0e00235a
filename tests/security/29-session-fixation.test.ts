import { expect, test } from "vitest";
import { call, change, cookieOf, enter, type Headers, newPerson, ofCookie } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { tried } from "./support/tried.ts";

/** @fastify/passport: the session id that an attacker had planted was signed in with its victim. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;
const whoami = async (as: Headers) => (await call(port, "GET", "/api/auth/whoami", { as })).status;

test("signing in, proving the password and changing it each make a new value, and the old one is dead", async (context) => {
  const owner = await enter(port);
  const user = await newPerson(port, owner, "operator", "wanda");
  const other = await enter(port, user);
  expect(other.cookie).not.toBe(user.cookie);

  const stepUp = await call(port, "POST", "/api/auth/step-up", { as: user.as, body: { password: user.password } });
  expect(stepUp.status).toBe(200);
  const stepped = cookieOf(stepUp);
  expect(stepped).not.toBe(user.cookie);
  expect([await whoami(user.as), await whoami(ofCookie(stepped)), await whoami(other.as)]).toEqual([401, 200, 200]);

  const body = { currentPassword: user.password, newPassword: "nine patient herons" };
  const changed = await call(port, "POST", "/api/auth/password", { as: ofCookie(stepped), body });
  expect(changed.status).toBe(204);
  const renewed = cookieOf(changed);
  const values = [user.cookie, other.cookie, stepped, renewed];
  expect(new Set(values).size).toBe(values.length);
  // The other sessions go with the old password.
  expect(await Promise.all(values.map((value) => whoami(ofCookie(value))))).toEqual([401, 401, 401, 200]);

  // A change of what the session can do ends it: there is no value that means first one role and then another.
  expect((await change(port, owner.as, user.id, { role: "viewer" })).status).toBe(200);
  expect(await whoami(ofCookie(renewed))).toBe(401);

  const again = await enter(port, { username: user.username, password: body.newPassword });
  expect((await call(port, "POST", "/api/auth/logout", { as: again.as })).status).toBe(204);
  expect(await whoami(again.as)).toBe(401);
  tried(context, "sign-in, step-up, change of password, change of role, sign-out");
});

test("a value from before the sign-in never becomes a session, and neither does one of somebody else", async (context) => {
  const owner = await enter(port);
  const attacker = await newPerson(port, owner, "viewer", "mallory");
  const planted = [`gatehouse=${"A".repeat(43)}`, "gatehouse=", "gatehouse=x; gatehouse=y", attacker.cookie];
  const body = { username: owner.username, password: owner.password };
  for (const cookie of planted) {
    const answer = await call(port, "POST", "/api/auth/login", { as: ofCookie(cookie), body });
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toMatch(/^gatehouse=[A-Za-z0-9_-]{43}$/);
    expect(planted).not.toContain(cookieOf(answer));
    const { status, body: who } = await call<{ user: { id: string } }>(port, "GET", "/api/auth/whoami", {
      as: ofCookie(cookie),
    });
    if (status === 200) expect(who.user.id).toBe(attacker.id);
    else expect(status).toBe(401);
  }
  tried(context, `${planted.length} planted values`);
});
