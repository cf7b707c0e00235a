import { manualClock } from "@gatehouse/base";
import { whoAmI, type WhoAmI } from "@gatehouse/contract/routes";
import { ephemeralSecrets } from "@gatehouse/store";
import { describe, expect, test } from "vitest";
import { expectNoSecretKept, newVisitor, startAuthServer, tagOf } from "./auth-server.ts";
import { ownerPassword } from "./visitor.ts";
import { farStore } from "./far-store.ts";

const login = "/api/auth/login";
const wrong = { username: "admin", password: "not the password" };
const right = { username: "admin", password: ownerPassword };
const hour = 60 * 60_000;

describe("signing in", () => {
  test("gives a cookie that is a session, and says who one is", async () => {
    const server = await startAuthServer();
    const visitor = server.visitor();
    const answer = await visitor.call<WhoAmI>("POST", login, {
      body: right,
      headers: { "User-Agent": "x".repeat(300) },
    });
    expect(answer.status).toBe(200);
    expect(whoAmI.parse(answer.body)).toMatchObject({
      user: { username: "admin", role: "owner" },
      credential: { kind: "session" },
      nodes: null,
    });
    expect(answer.body.scopes).toContain("user:admin");
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^gatehouse=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^gatehouse-device=[A-Za-z0-9._-]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict$/),
    ]);
    await server.hear();
    const asked = await visitor.call<WhoAmI>("GET", "/api/auth/whoami");
    // From where the page follows the changes: it has read none of those that come later.
    expect(asked.body).toEqual({ ...answer.body, position: (await server.store.head()).position });
    expect(answer.body.position).toBeLessThanOrEqual(asked.body.position);
    const [signedIn] = (await server.audit()).slice(-1);
    expect(signedIn).toMatchObject({
      actor: answer.body.user.id,
      action: "auth.signed_in",
      subject: `session/${answer.body.credential.id}`,
      address: "127.0.0.1",
      detail: { username: "admin", userAgent: "x".repeat(200) },
    });
    expect(signedIn?.requestId).toBe(answer.headers.get("x-request-id"));
    await expectNoSecretKept(server);
  });

  test("sets a __Host- cookie with Secure where cookies are secure", async () => {
    const server = await startAuthServer({ secureCookies: true });
    const answer = await server.visitor().call("POST", login, { body: right });
    const rest = "Path=/; Max-Age=[0-9]+; HttpOnly; SameSite=Strict; Secure$";
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(`^__Host-gatehouse=[A-Za-z0-9_-]{43}; ${rest}`),
      expect.stringMatching(`^__Host-gatehouse-device=[A-Za-z0-9._-]+; ${rest}`),
    ]);
  });

  test("takes the name in capitals, and no name that only looks like it", async () => {
    const server = await startAuthServer({ firstAdmin: { username: "kim", password: ownerPassword } });
    await server.visitor().signIn("KIM");
    for (const username of ["\u212aim", "ｋｉｍ", "kım", "kim ", " kim", "k\u0131m", "kim\u0000", "кim"]) {
      const answer = await server.visitor().call("POST", login, { body: { username, password: ownerPassword } });
      expect([answer.status, answer.code], username).toEqual([401, "auth.sign_in_refused"]);
    }
  });

  test("is refused in one way, whether the name is unknown, the password wrong or the user disabled", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    await newVisitor(server, owner, "viewer");
    const { body } = await owner.call<{ items: { id: string; username: string }[] }>("GET", "/api/users");
    const viewer = body.items.find(({ username }) => username === "viewer")?.id ?? "";
    const disable = { body: { disabled: true }, headers: await tagOf(owner, viewer) };
    expect((await owner.call("PATCH", `/api/users/${viewer}`, disable)).status).toBe(200);
    const attempts = [
      wrong,
      { username: "nobody", password: ownerPassword },
      { username: "viewer", password: "the viewer has otters" },
    ];
    const answers = [];
    for (const attempt of attempts) {
      const answer = await server.visitor().call<Record<string, unknown>>("POST", login, { body: attempt });
      const { requestId: _, ...problem } = answer.body;
      answers.push({ status: answer.status, problem, cookie: answer.headers.get("set-cookie") });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, problem: { code: "auth.sign_in_refused" }, cookie: null });
  });

  test("never takes a credential from the address", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const value = owner.cookie?.split("=")[1] ?? "";
    for (const query of [`?token=${value}`, `?access_token=${value}`, `?gatehouse=${value}`]) {
      expect((await server.visitor().call("GET", `/api/auth/whoami${query}`)).status).toBe(401);
    }
  });

  test("from another site's page is refused before the password is looked at", async () => {
    const server = await startAuthServer();
    const answer = await server
      .visitor()
      .call("POST", login, { body: right, headers: { "Sec-Fetch-Site": "cross-site" } });
    expect(answer.code).toBe("auth.cross_site");
    expect(await server.actions()).toEqual(["user.created"]);
  });
});

describe("guessing", () => {
  test("is limited per address by the setting", async () => {
    const server = await startAuthServer({ signInsPerMinute: 5 });
    const statuses = [];
    for (let i = 0; i < 7; i += 1) {
      const body = { username: `name${i}`, password: "not the password" };
      statuses.push((await server.visitor().call("POST", login, { body })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test("slows an account down, for a name that exists and for one that does not", async () => {
    const server = await startAuthServer();
    for (const username of ["admin", "nobody"]) {
      const guess = () => server.visitor().call("POST", login, { body: { username, password: "not the password" } });
      expect([(await guess()).status, (await guess()).status, (await guess()).status]).toEqual([401, 401, 401]);
      const slowed = await guess();
      expect([slowed.status, slowed.code, slowed.headers.get("retry-after")]).toEqual([
        429,
        "auth.sign_in_throttled",
        "1",
      ]);
      server.clock.advance(1_000);
      expect((await guess()).status).toBe(401);
      expect((await guess()).headers.get("retry-after")).toBe("2");
    }
    const slowed = await server.visitor().call("POST", login, { body: right });
    expect(slowed.status, "the right password has to wait as well").toBe(429);
    server.clock.advance(2_000);
    await server.visitor().signIn();
  });

  test("by a neighbour does not keep out a browser that has signed in before, also after a restart", async () => {
    const [store, secrets] = [farStore(), ephemeralSecrets()];
    const first = await startAuthServer({ store, secrets });
    const answer = await first.visitor().call("POST", login, { body: right });
    const device = answer.headers.getSetCookie()[1]?.split(";")[0] ?? "";
    first.clock.advance(1_000);
    for (let i = 0; i < 4; i += 1) await first.visitor().call("POST", login, { body: wrong });
    await first.close();
    const second = await startAuthServer({ store, secrets });
    expect((await second.visitor().call("POST", login, { body: right })).code).toBe("auth.sign_in_throttled");
    const known = await second.visitor().call("POST", login, { body: right, headers: { Cookie: device } });
    expect(known.status).toBe(200);
  });

  test("with a browser's cookie has that cookie's lane, and a password change ends it", async () => {
    const server = await startAuthServer();
    const own = server.visitor();
    const entered = await own.call("POST", login, { body: right });
    const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[1]?.split(";")[0] ?? "";
    const guess = (Cookie: string, password: string) =>
      server.visitor().call("POST", login, { body: { username: "admin", password }, headers: { Cookie } });
    const stolen = cookieOf(entered);
    for (let i = 0; i < 3; i += 1) await guess("", "not the password");
    for (let i = 0; i < 3; i += 1) expect((await guess(stolen, "not the password")).status).toBe(401);
    expect((await guess(stolen, "not the password")).code).toBe("auth.sign_in_throttled");
    const next = "nine quick herons";
    server.secrets.add(next);
    const changed = await own.call("POST", "/api/auth/password", {
      body: { currentPassword: right.password, newPassword: next },
    });
    expect(changed.status).toBe(204);
    for (let i = 0; i < 4; i += 1) await guess("", "not the password");
    expect((await guess(stolen, next)).code).toBe("auth.sign_in_throttled");
    expect((await guess(cookieOf(changed), next)).status).toBe(200);
  });

  test("is not helped by capitals: they are the same account", async () => {
    const server = await startAuthServer();
    const statuses = [];
    for (const username of ["admin", "Admin", "ADMIN", "aDmIn"]) {
      statuses.push((await server.visitor().call("POST", login, { body: { ...wrong, username } })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test("is not helped by sending many at once", async () => {
    const server = await startAuthServer();
    const all = await Promise.all(
      Array.from({ length: 30 }, () => server.visitor().call("POST", login, { body: wrong })),
    );
    expect(all.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(27);
  });

  test("is not helped by a restart of the server", async () => {
    const [store, clock] = [farStore(), manualClock()];
    const first = await startAuthServer({ store, clock });
    for (let i = 0; i < 5; i += 1) {
      await first.visitor().call("POST", login, { body: wrong });
      await first.visitor().call("POST", login, { body: { ...wrong, username: "nobody" } });
      clock.advance(1_000);
    }
    await first.close();
    const second = await startAuthServer({ store, clock });
    for (const username of ["admin", "nobody"]) {
      expect((await second.visitor().call("POST", login, { body: { ...wrong, username } })).status).toBe(429);
    }
    clock.advance(hour);
    await second.visitor().signIn();
    await second.close();
    const third = await startAuthServer({ store, clock });
    expect((await third.visitor().call("POST", login, { body: wrong })).status, "a good sign-in ended the row").toBe(
      401,
    );
  });

  test("is counted in the audit log, one record per address, account and minute, without what was typed", async () => {
    const server = await startAuthServer();
    server.secrets.add("my-Secret password!");
    for (let i = 0; i < 10; i += 1) await server.visitor().call("POST", login, { body: wrong });
    await server.visitor().call("POST", login, { body: { username: "my-Secret password!", password: "x" } });
    await server.visitor().call("POST", login, { body: { username: "root", password: "x" } });
    expect(await server.actions()).toEqual(["user.created"]);
    await server.tick();
    const refused = (await server.audit()).slice(1);
    expect(refused.map(({ subject, detail }) => [subject.replace(/usr_.*/, "usr"), detail?.["count"]])).toEqual([
      ["user/usr", 10],
      ["username/unknown", 1],
      ["username/root", 1],
    ]);
    expect(refused[0]).toMatchObject({
      actor: "anonymous",
      outcome: "refused",
      address: "127.0.0.1",
      detail: { throttled: 7 },
    });
    await expectNoSecretKept(server);
  });

  test("is counted also when the server stops within the minute", async () => {
    const store = farStore();
    const server = await startAuthServer({ store });
    await server.visitor().call("POST", login, { body: wrong });
    await server.close();
    expect((await store.searchAudit({ limit: 1 })).items[0]).toMatchObject({ action: "auth.sign_in_refused" });
  });
});

test("a body that is no sign-in is refused by its form", async () => {
  const server = await startAuthServer();
  const bodies = [
    {},
    { username: "admin" },
    { ...right, more: 1 },
    { username: 1, password: 2 },
    [],
    { ...right, username: "" },
  ];
  for (const body of [...bodies, { username: "admin", password: "x".repeat(1_025) }]) {
    expect((await server.visitor().call("POST", login, { body })).code).toBe("request.malformed");
  }
  expect((await server.visitor().call("POST", login, { body: { ...right, username: "x".repeat(9_000) } })).status).toBe(
    413,
  );
});
