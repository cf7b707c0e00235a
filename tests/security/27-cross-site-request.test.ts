import { expect, test } from "vitest";
import { inLanes } from "./support/in-lanes.ts";
import { newClient } from "./support/new-client.ts";
import { call, enter, everythingOf, type Headers, newPerson, newToken } from "./support/people.ts";
import { type RequestOptions, send } from "./support/raw-http.ts";
import { admin } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Rundeck, 1Panel, Rancher: a page of another site had the user's browser make a change. The requests here are the bytes
 * that browsers send for forms, fetch and beacons, with the cookie added as if SameSite did not exist; no browser runs.
 */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;
const evil = "https://evil.test";

/** Where a request came from, as browsers of today and of some years ago say it. */
function places(): readonly { readonly name: string; readonly headers: Headers }[] {
  const sites = ["cross-site", "same-site", "none", "", "Same-Origin", "same-origin, cross-site", "same-origin;x"];
  return [
    ...sites.map((site) => ({
      name: `Sec-Fetch-Site ${site}`,
      headers: [
        ["Origin", evil],
        ["Sec-Fetch-Site", site],
        ["Sec-Fetch-Mode", "no-cors"],
      ] as const,
    })),
    {
      name: "a sandboxed frame",
      headers: [
        ["Origin", "null"],
        ["Sec-Fetch-Site", "cross-site"],
      ],
    },
    {
      name: "a navigation",
      headers: [
        ["Sec-Fetch-Site", "cross-site"],
        ["Sec-Fetch-Mode", "navigate"],
        ["Sec-Fetch-User", "?1"],
      ],
    },
    {
      name: "two sites",
      headers: [
        ["Sec-Fetch-Site", "cross-site"],
        ["Sec-Fetch-Site", "same-origin"],
      ],
    },
    ...[
      evil,
      "null",
      "",
      `http://127.0.0.1:${port}.evil.test`,
      `http://127.0.0.1:${port + 1}`,
      `https://127.0.0.1:${port}`,
    ].map((origin) => ({ name: `Origin ${origin}`, headers: [["Origin", origin]] as const })),
    {
      name: "two origins",
      headers: [
        ["Origin", `http://127.0.0.1:${port}`],
        ["Origin", evil],
      ],
    },
    // Old browsers, and a page that asks for no referrer.
    { name: "only a referrer", headers: [["Referer", `${evil}/x`]] },
    { name: "a forged referrer", headers: [["Referer", `http://127.0.0.1:${port}/`]] },
    { name: "nothing at all", headers: [] },
  ];
}

const types = [
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "",
];

test("no request that another site's page can cause changes anything", async (context) => {
  const owner = await enter(port);
  const user = await newPerson(port, owner, "viewer", "target");
  const token = await newToken(port, owner, ["node:read"]);
  const newPassword = "nine patient herons";
  const changes: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[] = [
    { method: "POST", path: "/api/auth/logout" },
    { method: "POST", path: "/api/auth/step-up", body: { password: admin.password } },
    { method: "DELETE", path: "/api/auth/sessions" },
    { method: "DELETE", path: `/api/auth/sessions/${owner.sessionId}` },
    { method: "POST", path: "/api/auth/password", body: { currentPassword: admin.password, newPassword } },
    { method: "POST", path: "/api/tokens", body: { name: "x", scopes: ["node:read"] } },
    { method: "DELETE", path: `/api/tokens/${token.id}` },
    { method: "POST", path: "/api/users", body: { username: "mallory", role: "owner", password: newPassword } },
    { method: "PATCH", path: `/api/users/${user.id}`, body: { role: "owner" } },
    { method: "DELETE", path: `/api/users/${user.id}` },
    // Signing the victim in as somebody else is a change as well.
    { method: "POST", path: "/api/auth/login", body: admin },
  ];
  const before = await everythingOf(port, owner);
  const requests = changes.flatMap(({ method, path, body }) =>
    places().flatMap((place) =>
      types.flatMap((type): RequestOptions[] => {
        // A program that sends neither header is no browser: it may sign in, and changes nothing of anybody's.
        const isBrowser = place.headers.some(([name]) => name === "Origin" || name === "Sec-Fetch-Site");
        if (path === "/api/auth/login" && !isBrowser) return [];
        const typed = type === "" ? [] : [["Content-Type", type] as const];
        const text = body === undefined ? {} : { body: JSON.stringify(body) };
        const ifMatch = path.startsWith("/api/users/") ? [["If-Match", '"1"'] as const] : [];
        return [
          {
            method,
            path,
            headers: [newClient(), ["Cookie", owner.cookie], ...place.headers, ...typed, ...ifMatch],
            ...text,
          },
        ];
      }),
    ),
  );
  const answers = await inLanes(requests, 8, (request) => send(port, request));
  for (const [at, { status, headers }] of answers.entries()) {
    const about = `${requests[at]?.method} ${requests[at]?.path} ${JSON.stringify(requests[at]?.headers?.slice(2))}`;
    expect([400, 403, 415], about).toContain(status);
    expect(headers.has("set-cookie"), about).toBe(false);
    expect(headers.has("access-control-allow-origin"), about).toBe(false);
  }
  expect(await everythingOf(port, owner)).toBe(before);
  expect((await call(port, "GET", "/api/auth/whoami", { as: owner.as })).status).toBe(200);
  // The same request from the console's own page is let in: what was refused above was refused for its origin.
  const own = [
    ["Cookie", owner.cookie],
    ["Origin", `http://127.0.0.1:${port}`],
  ] as const;
  expect((await call(port, "DELETE", `/api/tokens/${token.id}`, { as: own })).status).toBe(204);
  tried(
    context,
    `${count(requests.length, "requests of another site")} with a valid cookie, 0 changes; no browser was run`,
  );
});

test("a preflight of another origin is granted nothing", async (context) => {
  const paths = ["/api/users", "/api/tokens", "/api/auth/login", "/api/auth/password", "/api/events"];
  for (const path of paths) {
    for (const origin of [evil, "null", `http://127.0.0.1:${port}`]) {
      const headers = [
        ["Origin", origin],
        ["Access-Control-Request-Method", "POST"],
        ["Access-Control-Request-Headers", "content-type,authorization"],
        ["Access-Control-Request-Private-Network", "true"],
      ] as const;
      const answer = await send(port, { method: "OPTIONS", path, headers });
      expect(
        [...answer.headers.keys()].filter((name) => name.startsWith("access-control-")),
        path,
      ).toEqual([]);
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
    }
  }
  tried(context, count(paths.length * 3, "preflights"));
});
