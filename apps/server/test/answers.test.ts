import { problemSchema } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { bearer, startServer, testIdentity } from "./start-server.ts";

describe("every answer", () => {
  test("carries an id of ours, also when the client sends one", async () => {
    const server = await startServer();
    const ids = new Set<string>();
    for (const path of [
      "/",
      "/login",
      "/theme-init.js",
      "/assets/app.1a2b.js",
      "/assets/none",
      "/api/health",
      "/api/none",
    ]) {
      const answer = await server.get(path, { headers: { "X-Request-Id": "req_forged" } });
      ids.add(answer.headers.get("x-request-id") ?? "");
    }
    expect(ids.size).toBe(7);
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  test("carries the security headers", async () => {
    const server = await startServer();
    for (const path of ["/", "/assets/none", "/assets/app.1a2b.js", "/api/health", "/api/none", "/api/metrics"]) {
      const { headers } = await server.get(path);
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; report-uri /api/csp-reports",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("strict-transport-security")).toBeNull();
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("server")).toBeNull();
    }
  });

  test("adds the beacon's hosts to the policy, and to nothing else of it (contract 4.1)", async () => {
    const server = await startServer({
      config: { cspScriptSrc: ["https://beacon.example"], cspConnectSrc: ["https://collect.example"] },
    });
    const policy = (await server.get("/")).headers.get("content-security-policy");
    expect(policy).toContain("script-src 'self' https://beacon.example;");
    expect(policy).toContain("connect-src 'self' https://collect.example;");
    expect(policy?.match(/https:/g)).toHaveLength(2);
  });

  test("asks for HTTPS only where the public URL is https and cookies are secure", async () => {
    const publicUrl = new URL("https://gate.example.com");
    const hsts = async (config: { publicUrl?: URL; secureCookies: boolean }) =>
      (await (await startServer({ config })).get("/api/health")).headers.get("strict-transport-security");
    expect(await hsts({ publicUrl, secureCookies: true })).toBe("max-age=31536000");
    expect(await hsts({ publicUrl, secureCookies: false })).toBeNull();
    expect(await hsts({ secureCookies: true })).toBeNull();
    expect(await hsts({ publicUrl: new URL("http://gate.example.com"), secureCookies: true })).toBeNull();
  });
});

describe("an answer of the API", () => {
  test("is never kept by a cache, whatever it is", async () => {
    const server = await startServer({ parts: testIdentity({ t: [] }).parts });
    for (const path of [
      "/api/health",
      "/api/ready",
      "/api/version",
      "/api/openapi.json",
      "/api/none",
      "/api/",
      "/api/metrics",
    ]) {
      expect((await server.get(path)).headers.get("cache-control")).toBe("no-store");
    }
    const events = await server.get("/api/events", bearer("t"));
    expect(events.headers.get("cache-control")).toBe("no-store");
    await events.body?.cancel();
  });

  test("about an unknown path is a problem, never the shell", async () => {
    const server = await startServer();
    for (const path of ["/api/none", "/api/", "/api/health/x", "/api/health/", "/api/plugins"]) {
      const answer = await server.get(path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      const problem = problemSchema.parse(await answer.json());
      expect(problem).toMatchObject({ code: "request.unknown_route", status: 404 });
      expect(problem.requestId).toBe(answer.headers.get("x-request-id"));
    }
  });

  test("to HEAD has the head of GET and no body", async () => {
    const server = await startServer();
    const [answer] = await server.raw("HEAD /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(answer).toMatchObject({ status: 200, body: "" });
    expect(answer?.headers.get("content-length")).toBe("15");
  });

  test("to a method the route does not take names those it takes; there is no CORS", async () => {
    const server = await startServer();
    for (const method of ["OPTIONS", "PUT", "DELETE", "PATCH", "POST", "TRACE", "PROPFIND", "QUERY", "M-SEARCH"]) {
      const [answer] = await server.raw(
        `${method} /api/health HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nContent-Length: 0\r\nContent-Type: text/plain\r\n\r\n`,
      );
      expect([method, answer?.status]).toEqual([method, 405]);
      expect(answer?.headers.get("allow")).toBe("GET, HEAD");
      expect(answer?.json()).toMatchObject({ code: "request.method_not_allowed" });
      expect([...(answer?.headers.keys() ?? [])].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

test("all requests of one connection are answered in their order", async () => {
  const server = await startServer();
  const paths = ["/api/health", "/api/none", "/login", "/api/version"];
  const answers = await server.raw(
    paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(""),
    paths.length,
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
});
