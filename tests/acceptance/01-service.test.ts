import { describe, expect, test } from "vitest";
import { ask } from "./ask.ts";
import { useServer } from "./server-under-test.ts";

/** Contract 1, as far as it speaks about what a browser or a program meets. */
const server = useServer();

test("It serves an HTTP JSON API under `/api/`", async () => {
  for (const path of ["/api/health", "/api/ready", "/api/version", "/api/openapi.json"]) {
    const answer = await ask(server.baseUrl, path);
    expect(answer.status, path).toBe(200);
    expect(answer.headers["content-type"], path).toMatch(/^application\/json(; charset=utf-8)?$/);
    expect(answer.json, path).toBeTypeOf("object");
  }
});

test("what is not there under `/api/` is told in JSON too, never as a page", async () => {
  for (const path of ["/api/", "/api/nothing", "/api/health/more", "/api/plugins", "/api/../", "/api/%2e%2e/"]) {
    const answer = await ask(server.baseUrl, path);
    expect(answer.status, path).toBe(404);
    expect(answer.headers["content-type"], path).toBe("application/problem+json");
    expect(answer.json, path).toMatchObject({ status: 404, code: "request.unknown_route" });
  }
});

describe("and a single-page web dashboard at all other routes", () => {
  const routes = [
    "/",
    "/login",
    "/plugins",
    "/nodes/node_00000000000000000000000001/terminal",
    "/settings/security",
    "/login?next=%2Fplans",
    "/api",
  ];
  const odd = [
    "/API/health",
    "//api/health",
    "/apiary",
    "/favicon.ico",
    "/index.html",
    "/.env",
    "/../etc/passwd",
    "/a%00b",
  ];

  test("every route outside `/api/` gives the same page", async () => {
    const shell = await ask(server.baseUrl, "/");
    expect(shell.text).toContain("<!doctype html>");
    for (const path of [...routes, ...odd]) {
      const answer = await ask(server.baseUrl, path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers["content-type"], path).toBe("text/html; charset=utf-8");
      expect(answer.text, path).toBe(shell.text);
    }
  });

  test("a page can be asked for with HEAD, and cannot be written to", async () => {
    const head = await ask(server.baseUrl, { method: "HEAD", path: "/login" });
    const page = await ask(server.baseUrl, "/login");
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: "" });
    expect(head.headers["content-length"]).toBe(page.headers["content-length"]);
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const answer = await ask(server.baseUrl, { method, path: "/login" });
      expect({ status: answer.status, allow: answer.headers.allow }, method).toEqual({
        status: 405,
        allow: "GET, HEAD",
      });
    }
  });
});
