import { scopeNames } from "@gatehouse/contract";
import type { RouteSpec } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import * as z from "zod";
import { type Authenticate, type Principal, spyRoute, startPlanted } from "./inside/planted-server.ts";
import { type RequestOptions, send, sendRaw } from "./support/raw-http.ts";
import { count, tried } from "./support/tried.ts";

/** Portainer: the middleware had said no, and the handler ran all the same. */
const responses = { 200: z.strictObject({ ran: z.literal(true) }) };
const thing = z.strictObject({ name: z.string().max(5) });
const explosive = z.unknown().transform((): never => {
  throw new Error("the schema itself fails");
});

const readRow: RouteSpec = {
  method: "GET",
  path: "/api/planted/secret",
  summary: "Needs a scope.",
  access: { kind: "scope", scope: "plugin:admin", nodes: "every" },
  responses,
};
const changeRow: RouteSpec = {
  method: "POST",
  path: "/api/planted/change/:id",
  summary: "Needs a fresh session.",
  access: { kind: "scope", scope: "plugin:admin", nodes: "every", stepUp: "always" },
  params: z.strictObject({ id: z.string().regex(/^[0-9]+$/) }),
  query: z.strictObject({ dry: z.literal("1").optional() }),
  headers: z.object({ "if-match": z.string().max(20).optional() }),
  body: thing,
  responses,
};
const explosiveRow: RouteSpec = {
  method: "POST",
  path: "/api/planted/explosive",
  summary: "Its own schema throws.",
  access: { kind: "public", because: "the schema must stop it" },
  body: explosive,
  responses,
};

const owner: Principal = {
  id: "user_1",
  credential: { kind: "session", id: "session_1" },
  scopes: new Set(scopeNames),
  authenticatedAt: 0,
};
const found = (principal: Principal) => ({ principal });
const fresh = (more: Partial<Principal> = {}) => found({ ...owner, authenticatedAt: Date.now(), ...more });
const bearer = ["Authorization", "Bearer right"] as const;
const ownPage = ["Sec-Fetch-Site", "same-origin"] as const;
const json = ["Content-Type", "application/json"] as const;
/** A client that does not wait for an answer that may never come. */
const leaving = { patienceMs: 50 } as const;
const read: RequestOptions = { path: readRow.path, headers: [bearer] };
const change: RequestOptions = {
  method: "POST",
  path: "/api/planted/change/7",
  headers: [bearer, ownPage, json],
  body: '{"name":"a"}',
};

/** Every way in which finding out who is asking can fail. */
const failingLookups: Readonly<Record<string, Authenticate>> = {
  "finds nobody": () => undefined,
  "finds nobody, later": () => Promise.resolve(undefined),
  "finds null": () => null as never,
  "finds null, later": () => Promise.resolve(null as never),
  "throws an error": () => thrown(new Error("the look-up failed")),
  "throws a text": () => thrown("no"),
  "throws undefined": () => thrown(undefined),
  "throws null": () => thrown(null),
  "throws false": () => thrown(false),
  "throws zero": () => thrown(0),
  "throws an empty text": () => thrown(""),
  "rejects with an error": () => Promise.reject(new Error("the look-up failed")),
  "rejects with undefined": () => rejected(undefined),
  "rejects with null": () => rejected(null),
  "rejects with false": () => rejected(false),
  "rejects after a while": async () => {
    await new Promise((done) => setTimeout(done, 20));
    throw new Error("too late");
  },
  "gives a promise-like thing that never was a promise": () => new Thenable() as never,
  "gives somebody without scopes": () => found({ ...owner, scopes: new Set() }),
  "gives somebody with every scope but one": () =>
    fresh({ scopes: new Set(scopeNames.filter((scope) => scope !== "plugin:admin")) }),
  "gives somebody whose scopes cannot be read": () =>
    fresh({ scopes: { has: () => thrown(new Error("broken set")) } as never }),
  "gives somebody whose scopes are missing": () => fresh({ scopes: undefined as never }),
  "gives an empty object": () => ({}) as never,
  "gives true": () => true as never,
  "never answers": () => new Promise(() => undefined),
};

function thrown(what: unknown): never {
  throw what;
}

function rejected(what: unknown): Promise<never> {
  return Promise.reject(what);
}

/** Waited for by `await`, and not an instance of Promise. */
class Thenable {
  // oxlint-disable-next-line unicorn/no-thenable -- that is the point of it.
  then(resolve: (given: ReturnType<typeof fresh>) => void): void {
    resolve(fresh());
  }
}

test("the handler does not run, however the look-up of a credential fails", async (context) => {
  const failed: string[] = [];
  let requests = 0;
  for (const [name, authenticate] of Object.entries(failingLookups)) {
    const routes = [spyRoute(readRow), spyRoute(changeRow)];
    await using server = await startPlanted({ routes, authenticate });
    for (const request of [read, change]) {
      const answer = await send(server.port, { ...request, ...(name === "never answers" && leaving) });
      requests += 1;
      if (answer.status >= 200 && answer.status < 300)
        failed.push(`${name}: ${request.path} answered ${answer.status}`);
    }
    for (const route of routes) if (route.runs() > 0) failed.push(`${name}: the handler of ${route.spec.path} ran`);
  }
  expect(failed).toEqual([]);
  tried(
    context,
    `${count(Object.keys(failingLookups).length, "failing look-ups")} with ${count(requests, "requests")}`,
  );
});

/** Requests that some later check must stop; the credential is good in all of them. */
const badRequests: Readonly<Record<string, RequestOptions>> = {
  "no credential": { ...change, headers: [ownPage, json] },
  "a malformed credential": { ...change, headers: [["Authorization", "Bearer a b"], ownPage, json] },
  "another scheme": { ...change, headers: [["Authorization", "Basic cmlnaHQ6cmlnaHQ="], ownPage, json] },
  "two credentials": { ...change, headers: [bearer, bearer, ownPage, json] },
  "an empty credential": { ...change, headers: [["Authorization", ""], ownPage, json] },
  "another site": { ...change, headers: [bearer, ["Sec-Fetch-Site", "cross-site"], json] },
  "a sibling site": { ...change, headers: [bearer, ["Sec-Fetch-Site", "same-site"], json] },
  "two sites": { ...change, headers: [bearer, ownPage, ["Sec-Fetch-Site", "cross-site"], json] },
  "no site": { ...change, headers: [bearer, json] },
  "the origin null": { ...change, headers: [bearer, ["Origin", "null"], json] },
  "an unknown host": { ...change, headers: [["Host", "evil.example"], bearer, ownPage, json] },
  "a bad path parameter": { ...change, path: "/api/planted/change/x" },
  "an empty path parameter": { ...change, path: "/api/planted/change/" },
  "an unknown query parameter": { ...change, path: "/api/planted/change/7?force=1" },
  "a query parameter twice": { ...change, path: "/api/planted/change/7?dry=1&dry=1" },
  "a broken escape in the query": { ...change, path: "/api/planted/change/7?dry=%zz" },
  "a header that is too long": { ...change, headers: [bearer, ownPage, json, ["If-Match", "x".repeat(21)]] },
  "no content type": { ...change, headers: [bearer, ownPage] },
  "another content type": { ...change, headers: [bearer, ownPage, ["Content-Type", "text/plain"]] },
  "a compressed body": { ...change, headers: [bearer, ownPage, json, ["Content-Encoding", "gzip"]] },
  "no body": { ...change, body: "" },
  "a body that is not JSON": { ...change, body: "{" },
  "a key twice": { ...change, body: '{"name":"a","name":"b"}' },
  "an unknown field": { ...change, body: '{"name":"a","admin":true}' },
  "a field that is too long": { ...change, body: '{"name":"abcdef"}' },
  "a body that is too large": { ...change, body: `{"name":"${"a".repeat(1_100_000)}"}` },
  "a length that lies": { ...change, headers: [bearer, ownPage, json, ["Content-Length", "99"]], ...leaving },
  "an unknown expectation": { ...change, headers: [bearer, ownPage, json, ["Expect", "magic"]] },
  "a WebSocket upgrade": {
    ...change,
    headers: [bearer, ownPage, json, ["Upgrade", "websocket"], ["Connection", "Upgrade"]],
  },
  "another method": { ...change, method: "PUT" },
  "a body on a GET": { ...read, body: "{}" },
  "a query on a row that takes none": { ...read, path: `${readRow.path}?x=1` },
  "a schema that throws": { method: "POST", path: explosiveRow.path, headers: [json], body: "{}" },
};

test("the handler does not run when any later check refuses", async (context) => {
  const routes = [spyRoute(readRow), spyRoute(changeRow), spyRoute(explosiveRow)];
  await using server = await startPlanted({ routes, authenticate: () => fresh() });
  const failed: string[] = [];
  for (const [name, request] of Object.entries(badRequests)) {
    const answer = await send(server.port, request);
    const ran = routes.filter((route) => route.runs() > 0).length;
    if (ran > 0 || (answer.status >= 200 && answer.status < 300)) failed.push(`${name}: ${answer.status}, ran ${ran}`);
    if (ran > 0) break;
  }
  expect(failed).toEqual([]);
  tried(context, count(Object.keys(badRequests).length, "refused requests"));
});

/** Sessions that are not fresh, and a token that can never be. */
test("the handler does not run for a sign-in that is too old, from the future, or a token's", async (context) => {
  const minute = 60_000;
  const people: readonly Partial<Principal>[] = [
    { authenticatedAt: Date.now() - 6 * minute },
    { authenticatedAt: 0 },
    { authenticatedAt: Number.NaN },
    { authenticatedAt: Date.now() + 10 * minute },
    { authenticatedAt: Number.POSITIVE_INFINITY },
    { credential: { kind: "token", id: "token_1" } },
  ];
  for (const person of people) {
    const route = spyRoute(changeRow);
    await using server = await startPlanted({ routes: [route], authenticate: () => fresh(person) });
    const { status } = await send(server.port, change);
    expect({ person, status, runs: route.runs() }).toEqual({ person, status: 403, runs: 0 });
  }
  tried(context, count(people.length, "stale sign-ins"));
});

test("the spy does see a handler that runs: the good requests reach it", async () => {
  const routes = [spyRoute(readRow), spyRoute(changeRow)];
  await using server = await startPlanted({ routes, authenticate: () => Promise.resolve(fresh()) });
  expect((await send(server.port, read)).status).toBe(200);
  expect((await send(server.port, change)).status).toBe(200);
  expect(routes.map((route) => route.runs())).toEqual([1, 1]);
  const half = await sendRaw(server.port, "POST /api/planted/change/7 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthor", leaving);
  expect(half.status).not.toBe(200);
  expect(routes.map((route) => route.runs())).toEqual([1, 1]);
});
