import { scopeNames } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { route } from "../src/platform/route/index.ts";
import { bearer, startServer, testIdentity } from "./start-server.ts";

interface Described {
  readonly paths: Record<string, Record<string, { security: unknown[]; description?: string }>>;
}

describe("every route of the product", () => {
  test("says who may use it, and refuses everybody else before its handler runs", async () => {
    const server = await startServer();
    const { paths } = (await (await server.get("/api/openapi.json")).json()) as Described;
    const open: string[] = [];
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        const name = `${method.toUpperCase()} ${path}`;
        if (security.length === 0) {
          open.push(name);
          continue;
        }
        const url = path.replaceAll(/\{\w+\}/g, "x");
        const answer = await server.get(url, { method: method.toUpperCase() });
        // A socket wants the upgrade before it asks who comes; its own tests hold it to its row.
        const expected = path === "/api/metrics" ? 403 : path === "/api/agent/control/stream" ? 426 : 401;
        expect([name, answer.status]).toEqual([name, expected]);
      }
    }
    // A new name in this list is a decision: it needs a reason in its row and a line here.
    expect(open.toSorted()).toEqual([
      "GET /api/agent/download",
      "GET /api/agent/download/{arch}",
      "GET /api/health",
      "GET /api/openapi.json",
      "GET /api/ready",
      "GET /api/version",
      "POST /api/agent/enrol",
      "POST /api/csp-reports",
    ]);
  });

  test("leaves the state as it is when it is only read (security class 26)", async () => {
    const { parts } = testIdentity({ all: scopeNames });
    const server = await startServer({ parts });
    const { paths } = (await (await server.get("/api/openapi.json")).json()) as Described;
    const before = await server.store.head();
    for (const [path, methods] of Object.entries(paths)) {
      if (!("get" in methods)) continue;
      const abort = new AbortController();
      await server.get(path.replaceAll(/\{\w+\}/g, "x"), { ...bearer("all"), signal: abort.signal });
      abort.abort();
    }
    expect(await server.store.head()).toEqual(before);
  });
});

describe("a route that needs a scope", () => {
  const rows = (ran: string[]) =>
    scopeNames.map((scope) =>
      route(
        {
          method: "GET",
          path: `/api/only/${scope.replace(":", "-")}`,
          summary: "",
          access: { kind: "scope", scope, nodes: "every" },
          responses: { 200: z.string() },
        },
        () => {
          ran.push(scope);
          return scope;
        },
      ),
    );

  test("answers each credential exactly by the scope it holds", async () => {
    const ran: string[] = [];
    const { parts } = testIdentity(Object.fromEntries(scopeNames.map((scope) => [scope.replace(":", "-"), [scope]])));
    const server = await startServer({ parts: { ...parts, moreRoutes: rows(ran) } });
    for (const needed of scopeNames) {
      for (const held of scopeNames) {
        const answer = await server.get(`/api/only/${needed.replace(":", "-")}`, bearer(held.replace(":", "-")));
        expect(answer.status).toBe(needed === held ? 200 : 403);
        if (needed !== held) expect(await answer.json()).toMatchObject({ code: "auth.scope_missing", scope: needed });
      }
    }
    expect(ran).toEqual(scopeNames);
  });

  test("answers nobody when the look-up of credentials fails", async () => {
    const ran: string[] = [];
    const thrown = [new Error("down"), undefined, null, 0, "", "down", {}];
    // oxlint-disable-next-line prefer-promise-reject-errors -- what is thrown can be anything
    const failing = thrown.flatMap((what) => [() => Promise.reject(what), () => fail(what)]);
    for (const authenticate of failing) {
      const server = await startServer({ parts: { authenticate, moreRoutes: rows(ran) } });
      const answer = await server.get("/api/only/node-read", bearer("x"));
      expect(answer.status).toBe(500);
      expect(await answer.text()).not.toContain("down");
    }
    expect(ran).toEqual([]);
  });

  test("sees a session cookie of the configured name only", async () => {
    const seen: unknown[] = [];
    const authenticate = (facts: { credential: unknown }) => void seen.push(facts.credential);
    const server = await startServer({
      config: { secureCookies: true },
      parts: { authenticate, moreRoutes: rows([]) },
    });
    for (const cookie of ["gatehouse=plain", "__Host-gatehouse=mine"]) {
      const answer = await server.get("/api/only/node-read", { headers: { cookie } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="gatehouse"');
    }
    expect(seen).toEqual([{ kind: "cookie", value: "mine" }]);
  });
});

function fail(what: unknown): never {
  throw what;
}

describe("the rate limit", () => {
  const config = { apiRate: { perSecond: 1, burst: 3 } };
  const statuses = async (count: number, ask: () => Promise<Response>) => {
    const all: number[] = [];
    for (let i = 0; i < count; i += 1) all.push((await ask()).status);
    return all;
  };

  test("stops a stranger after the burst and says when to come back", async () => {
    const server = await startServer({ config });
    expect(await statuses(4, () => server.get("/api/version"))).toEqual([200, 200, 200, 429]);
    const answer = await server.get("/api/none");
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await answer.json()).toMatchObject({ code: "request.rate_limited" });
  });

  test("leaves probes and the dashboard's files alone", async () => {
    const server = await startServer({ config });
    for (const path of ["/api/health", "/api/ready", "/login", "/assets/app.1a2b.js"]) {
      expect(new Set(await statuses(20, () => server.get(path)))).toEqual(new Set([200]));
    }
  });

  test("counts by the real client's address behind a proxy, and by the peer without one", async () => {
    const proxied = await startServer({ config: { ...config, trustProxy: true } });
    const as = (address: string) => () => proxied.get("/api/version", { headers: { "X-Real-IP": address } });
    expect(await statuses(4, as("198.51.100.1"))).toEqual([200, 200, 200, 429]);
    expect(await statuses(1, as("198.51.100.2"))).toEqual([200]);
    const direct = await startServer({ config });
    let i = 0;
    const forged = () => direct.get("/api/version", { headers: { "X-Real-IP": `198.51.100.${(i += 1)}` } });
    expect(await statuses(4, forged)).toEqual([200, 200, 200, 429]);
  });

  test("counts a signed-in user alone, and inventing tokens does not help", async () => {
    const { parts } = testIdentity({ good: [] });
    const row = route(
      {
        method: "GET",
        path: "/api/mine",
        summary: "",
        access: { kind: "signed-in", nodes: "every" },
        responses: { 200: z.string() },
      },
      () => "mine",
    );
    const server = await startServer({ config, parts: { ...parts, moreRoutes: [row] } });
    expect(await statuses(1, () => server.get("/api/mine", bearer("good")))).toEqual([200]);
    let i = 0;
    expect(await statuses(4, () => server.get("/api/mine", bearer(`invented-${(i += 1)}`)))).toEqual([
      401, 401, 429, 429,
    ]);
    expect(await statuses(3, () => server.get("/api/mine", bearer("good")))).toEqual([200, 200, 429]);
  });
});
