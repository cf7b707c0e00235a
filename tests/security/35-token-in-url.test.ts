import { expect, test } from "vitest";
import { type Authenticate, spyRoute, startPlanted } from "./inside/planted-server.ts";
import { Chance } from "./support/chance.ts";
import { newClient } from "./support/new-client.ts";
import { readOpenApi } from "./support/openapi.ts";
import { type RequestOptions, send } from "./support/raw-http.ts";
import { issueToken, signIn } from "./support/sign-in.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** Portainer: a token in the query string opened the route, and stood in every access log on the way. */
const token = new Chance("token").word(40);
const server = await sharedServer({
  env: { SERVICE_METRICS_TOKEN: token, SERVICE_SLOW_REQUEST_MS: "1", SERVICE_TRUST_PROXY: "1" },
});

const names = joined(
  ["token", "access_token", "accessToken", "auth", "authorization", "Authorization", "bearer", "api_key", "apikey"],
  ["key", "pat", "jwt", "session", "sessionid", "sid", "gatehouse", "__Host-gatehouse", "password", "ticket", "t"],
  ["metrics_token", "SERVICE_METRICS_TOKEN", "x-api-key", "_token", "id_token", "code", "secret", "credential"],
);
const values = [token, `Bearer%20${token}`, `Bearer+${token}`, encodeURIComponent(`Bearer ${token}`)];

/** The token anywhere but in `Authorization: Bearer`. */
const elsewhere: readonly RequestOptions[] = [
  ...names.flatMap((name) => values.map((value) => ({ path: `/api/metrics?${name}=${value}` }))),
  ...names.map((name) => ({ path: `/api/metrics;${name}=${token}` })),
  { path: `/api/metrics?${token}` },
  { path: `/api/metrics/${token}` },
  { path: `/api/metrics#${token}` },
  { path: `//x:${token}@127.0.0.1/api/metrics` },
  ...[
    "X-Api-Key",
    "X-Auth-Token",
    "X-Access-Token",
    "Proxy-Authorization",
    "X-Authorization",
    "Authentication",
    "Token",
  ].map((name) => ({ path: "/api/metrics", headers: [[name, `Bearer ${token}`]] as const })),
  { path: "/api/metrics", headers: [["Cookie", `token=${token}; gatehouse=${token}; __Host-gatehouse=${token}`]] },
  { path: "/api/metrics", headers: [["Authorization", `Basic ${Buffer.from(`x:${token}`).toString("base64")}`]] },
  { path: "/api/metrics", headers: [["Authorization", token]] },
  { path: "/api/metrics", headers: [["Sec-WebSocket-Protocol", token]] },
];

test("a token counts in the Authorization header only", async (context) => {
  const right: RequestOptions = { path: "/api/metrics", headers: [["Authorization", `Bearer ${token}`]] };
  expect((await send(server.port, right)).status).toBe(200);
  for (const request of elsewhere) {
    const { status, body } = await send(server.port, request);
    const about = request.path.replaceAll(token, "…");
    // A path outside of /api/ is a page: the shell, never the figures.
    if (request.path.startsWith("/api/")) expect([400, 401, 403, 404], about).toContain(status);
    expect(body.toString("latin1"), about).not.toContain("gatehouse_audit_position");
  }
  tried(context, count(elsewhere.length, "other places for a token"));
});

test("neither a session nor an access token works from the URL, and both do from their headers", async (context) => {
  const administrator = await signIn(server.port);
  const pat = await issueToken(server.port, administrator);
  const [, session = ""] = administrator.cookie.split("=");
  const whoami = "/api/auth/whoami";
  expect((await send(server.port, { path: whoami, headers: [["Authorization", `Bearer ${pat}`]] })).status).toBe(200);
  expect((await send(server.port, { path: whoami, headers: [["Cookie", administrator.cookie]] })).status).toBe(200);
  const secrets = [pat, `Bearer%20${pat}`, session, administrator.cookie];
  for (const name of names) {
    for (const secret of secrets) {
      const { status } = await send(server.port, { path: `${whoami}?${name}=${secret}`, headers: [newClient()] });
      expect([400, 401], name).toContain(status);
    }
  }
  for (const secret of [pat, session]) expect(server.stdout() + server.stderr()).not.toContain(secret);
  tried(context, count(names.length * secrets.length, "URLs with real credentials"));
});

test("no look-up is ever made with a credential from the URL", async (context) => {
  const asked: string[] = [];
  const authenticate: Authenticate = ({ credential }) => {
    asked.push(credential.kind === "bearer" ? credential.token : credential.value);
    return undefined;
  };
  const spec = {
    method: "GET",
    path: "/api/planted/x",
    summary: "x",
    access: { kind: "signed-in", nodes: "every" },
    responses: { 200: null },
  } as const;
  const route = spyRoute(spec);
  await using planted = await startPlanted({ routes: [route], authenticate });
  for (const name of names) await send(planted.port, { path: `/api/planted/x?${name}=${token}` });
  expect(asked).toEqual([]);
  expect(route.runs()).toBe(0);
  await send(planted.port, { path: "/api/planted/x", headers: [["Authorization", `Bearer ${token}`]] });
  expect(asked).toEqual([token]);
  tried(context, `${count(names.length, "parameter names")} never looked up`);
});

test("what stands behind the question mark never reaches the log or an answer", async (context) => {
  const canary = new Chance("canary").word(30);
  const { operations } = await readOpenApi(server.port);
  const paths = [
    "/",
    "/login",
    "/theme-init.js",
    "/assets/none",
    "/api/none",
    "/api/%2f",
    ...operations.map(({ path }) => path),
  ];
  let requests = 0;
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "POST", "DELETE", "TRACE"]) {
      for (const query of [`?q=${canary}`, `?${canary}`, `?a=%zz&b=${canary}`, `?x=1&x=${canary}`, `??${canary}`]) {
        const headers = [["Referer", `https://x.test/?${canary}`]] as const;
        const answer = await send(server.port, { method, path: path + query, headers });
        requests += 1;
        const about = `${method} ${path}`;
        expect(answer.body.toString("latin1"), about).not.toContain(canary);
        expect(answer.head, about).not.toContain(canary);
        const requestId = answer.headers.get("x-request-id");
        if (requestId !== undefined) expect(await server.lineAbout(requestId)).toHaveProperty("path");
      }
    }
  }
  expect(server.stdout() + server.stderr()).not.toContain(canary);
  tried(context, `${count(requests, "query strings")} absent from log and answers`);
});
