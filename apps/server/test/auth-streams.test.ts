import type { WhoAmI } from "@gatehouse/contract/routes";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AuthServer, newVisitor, startAuthServer, tokenVisitor } from "./auth-server.ts";
import { ownerPassword, type Visitor } from "./visitor.ts";

const hour = 60 * 60_000;

/** An open event stream and the moment at which the server ended it. */
async function openStream(server: AuthServer, visitor: Visitor) {
  const headers: Record<string, string> = {};
  if (visitor.cookie !== undefined) headers["Cookie"] = visitor.cookie;
  if (visitor.bearer !== undefined) headers["Authorization"] = `Bearer ${visitor.bearer}`;
  const abort = new AbortController();
  const response = await fetch(`${server.url}/api/events`, { headers, signal: abort.signal });
  expect(response.status).toBe(200);
  let isOpen = true;
  const ended = (async () => {
    for await (const _ of response.body ?? []);
    isOpen = false;
  })();
  ended.catch(() => undefined);
  onTestFinished(() => abort.abort());
  /** Asked after the server has heard of everything and another request has come and gone: an end would have arrived too. */
  const isStillOpen = async () => {
    await server.hear();
    await fetch(`${server.url}/api/version`);
    return isOpen;
  };
  return { ended, isStillOpen };
}

async function idOf(visitor: Visitor): Promise<string> {
  return (await visitor.call<WhoAmI>("GET", "/api/auth/whoami")).body.user.id;
}

async function change(owner: Visitor, id: string, body: Record<string, unknown>): Promise<void> {
  const read = await owner.call("GET", `/api/users/${id}`);
  const headers = { "If-Match": read.headers.get("etag") ?? "" };
  expect((await owner.call("PATCH", `/api/users/${id}`, { body, headers })).status).toBe(200);
}

/** Everything after which a stream of the operator must end, by the owner or by the operator themselves. */
const endings: Record<string, (owner: Visitor, operator: Visitor, token: string) => Promise<unknown>> = {
  "the user signs out": (_owner, operator) => operator.call("POST", "/api/auth/logout"),
  "the user ends the session": async (_owner, operator) => {
    const { id } = (await operator.call<WhoAmI>("GET", "/api/auth/whoami")).body.credential;
    await operator.call("DELETE", `/api/auth/sessions/${id}`);
  },
  "the user is disabled": async (owner, operator) => change(owner, await idOf(operator), { disabled: true }),
  "the user's role is changed": async (owner, operator) => change(owner, await idOf(operator), { role: "viewer" }),
  "the user is removed": async (owner, operator) => {
    const id = await idOf(operator);
    const read = await owner.call("GET", `/api/users/${id}`);
    await owner.call("DELETE", `/api/users/${id}`, { headers: { "If-Match": read.headers.get("etag") ?? "" } });
  },
};

/** The timers of this server run only when a test says so: what ends a stream is the change itself, or its time. */
describe("a live stream ends at once when", () => {
  for (const [name, end] of Object.entries(endings)) {
    test(name, async () => {
      const server = await startAuthServer();
      const owner = await server.visitor().signIn();
      const operator = await newVisitor(server, owner, "operator");
      const stream = await openStream(server, operator);
      const untouched = await openStream(server, owner);
      await end(owner, operator, "");
      await stream.ended;
      expect(await untouched.isStillOpen()).toBe(true);
    });
  }

  test("its token is revoked", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const [first, second] = [
      await tokenVisitor(server, owner, { scopes: ["audit:read"] }),
      await tokenVisitor(server, owner, { scopes: ["audit:read"] }),
    ];
    const [ended, untouched] = [await openStream(server, first.visitor), await openStream(server, second.visitor)];
    await owner.call("DELETE", `/api/tokens/${first.id}`);
    await ended.ended;
    expect(await untouched.isStillOpen()).toBe(true);
  });

  test("its token loses a scope because its owner does", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const operator = await newVisitor(server, owner, "operator");
    const [loses, keeps] = [
      await tokenVisitor(server, operator, { scopes: ["plan:read", "plan:apply"] }),
      await tokenVisitor(server, operator, { scopes: ["plan:read"] }),
    ];
    const [ended, untouched] = [await openStream(server, loses.visitor), await openStream(server, keeps.visitor)];
    await change(owner, await idOf(operator), { role: "viewer" });
    await ended.ended;
    expect(await untouched.isStillOpen()).toBe(true);
  });

  test("the password is changed in another session, but not in its own", async () => {
    const server = await startAuthServer();
    const [own, other] = [await server.visitor().signIn(), await server.visitor().signIn()];
    const [kept, ended] = [await openStream(server, own), await openStream(server, other)];
    const body = { currentPassword: ownerPassword, newPassword: "eight lazy otters" };
    expect((await own.call("POST", "/api/auth/password", { body })).status).toBe(204);
    await ended.ended;
    expect(await kept.isStillOpen()).toBe(true);
  });

  test("its credential expires or falls idle", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const short = await tokenVisitor(server, owner, { scopes: ["audit:read"], expiresInSeconds: 600 });
    const [ofToken, ofSession] = [await openStream(server, short.visitor), await openStream(server, owner)];
    server.clock.advance(600_001);
    server.runTimers();
    await ofToken.ended;
    await owner.call("GET", "/api/auth/whoami");
    server.clock.advance(2 * hour - 600_001);
    server.runTimers();
    await owner.call("GET", "/api/auth/whoami");
    expect(await ofSession.isStillOpen(), "a session that is used goes on").toBe(true);
    server.clock.advance(2 * hour + 1);
    server.runTimers();
    await ofSession.ended;
  });
});

test("a step-up renews the value and leaves the streams of the session alone", async () => {
  const server = await startAuthServer();
  const owner = await server.visitor().signIn();
  const stream = await openStream(server, owner);
  expect((await owner.call("POST", "/api/auth/step-up", { body: { password: ownerPassword } })).status).toBe(200);
  await owner.call("GET", "/api/auth/whoami");
  expect(await stream.isStillOpen()).toBe(true);
});
