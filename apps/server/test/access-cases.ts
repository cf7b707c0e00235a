import { type Role, roles, type Scope, scopeNames, scopesOfRole, scopesOfTokenClass } from "@gatehouse/contract";
import { tokenKind, userKind } from "@gatehouse/contract/records";
import { put } from "@gatehouse/store/decide";
import { expect } from "vitest";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { type AuthServer, newVisitor, tokenVisitor } from "./auth-server.ts";
import { type Visitor } from "./visitor.ts";

/** The only node of the credentials that are limited. */
export const ownNode = `node_${"0".repeat(25)}1`;
export const metricsToken = "m".repeat(40);

/** A visitor, and what the table says that they are. */
export interface Case {
  readonly name: string;
  readonly visitor: Visitor;
  readonly headers?: Record<string, string>;
  readonly is:
    | "nobody"
    | "refused"
    | "session"
    | "stale session"
    | "session on a foreign page"
    | "token"
    | "metrics token";
  readonly scopes: ReadonlySet<Scope>;
  /** To one node. */
  readonly isLimited?: true;
}

/** Every session is of a user of its own, so that what one ends of its own sessions is nobody else's. */
export async function allCases(server: AuthServer): Promise<readonly Case[]> {
  const admin = await server.visitor().signIn();
  const newUser = (role: Role, kind: string) => newVisitor(server, admin, role, `${role}-${kind}`);
  const users = (kind: string) => perRole((role) => newUser(role, kind));
  const [fresh, stale, foreign, ended] = [
    await users("fresh"),
    await users("stale"),
    await users("foreign"),
    await users("ended"),
  ];
  const leaver = await newUser("owner", "leaver");
  const expired = await perScope((scope) => tokenVisitor(server, admin, { scopes: [scope], expiresInSeconds: 60 }));
  server.clock.advance(6 * 60_000);
  const again = (visitor: Visitor, username: string) => visitor.signIn(username, `the ${username} has otters`);
  await admin.signIn();
  await again(leaver, "owner-leaver");
  for (const { key, visitor } of fresh) await again(visitor, `${key}-fresh`);
  for (const { visitor } of ended) await endSession(visitor);

  const automation = await perScope((scope) => tokenVisitor(server, admin, { scopes: [scope] }));
  const limited = await perScope((scope) => tokenVisitor(server, admin, { scopes: [scope], nodes: [ownNode] }));
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
  await demote(server, admin, "owner-leaver");

  const none = new Set<Scope>();
  const planted = server.visitor();
  planted.cookie = `${fresh[0]?.visitor.cookie}; gatehouse=${"A".repeat(43)}`;
  const crossSite = { "Sec-Fetch-Site": "same-site" };
  const ofAssistant = new Set(scopesOfTokenClass("assistant"));
  const ofViewer = new Set(scopesOfRole("viewer"));
  const cut = (scope: Scope, to: ReadonlySet<Scope>) => new Set([scope].filter((one) => to.has(one)));
  return [
    { name: "nobody", visitor: server.visitor(), is: "nobody", scopes: none },
    { name: "a malformed token", visitor: bearing(server, "gth_not-a-token"), is: "refused", scopes: none },
    { name: "two cookies", visitor: planted, is: "refused", scopes: none },
    { name: "the metrics token", visitor: bearing(server, metricsToken), is: "metrics token", scopes: none },
    ...fresh.map(({ key, visitor }) => session(`session of ${key}`, visitor, "session", key)),
    ...stale.map(({ key, visitor }) => session(`stale session of ${key}`, visitor, "stale session", key)),
    ...ended.map(({ key, visitor }) => session(`ended session of ${key}`, visitor, "refused", key)),
    ...foreign.map(({ key, visitor }) => ({
      ...session(`session of ${key} on a foreign page`, visitor, "session on a foreign page", key),
      headers: crossSite,
    })),
    ...automation.map(({ key, visitor }) => token(`automation ${key}`, visitor, "token", new Set([key]))),
    ...limited.map(({ key, visitor }) => ({
      ...token(`${key} of one node`, visitor, "token", new Set([key])),
      isLimited: true as const,
    })),
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

function bearing(server: AuthServer, text: string): Visitor {
  const visitor = server.visitor();
  visitor.bearer = text;
  return visitor;
}

/** Signs out and keeps the cookie. */
async function endSession(visitor: Visitor): Promise<void> {
  const { cookie } = visitor;
  await visitor.call("POST", "/api/auth/logout");
  visitor.cookie = cookie;
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
