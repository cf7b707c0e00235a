import { describe, expect, test } from "vitest";
import * as z from "zod";
import { route } from "../src/platform/route/index.ts";
import { bearer, startServer, testIdentity } from "./start-server.ts";

/** A route that keeps what its handler was given. */
async function startWithDesk() {
  const handled: unknown[] = [];
  const spec = {
    method: "POST",
    path: "/api/desk/:id",
    summary: "",
    access: { kind: "scope", scope: "node:admin", nodes: "every" },
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ dry: z.string().optional() }),
    body: z.strictObject({ name: z.string() }),
    responses: { 201: z.strictObject({ name: z.string() }) },
  } as const;
  const desk = route(spec, ({ params, query, body, principal, request }) => {
    handled.push({ params, query, body, user: principal.id, address: request.clientAddress });
    return body;
  });
  const empty = route(
    {
      method: "POST",
      path: "/api/empty",
      summary: "",
      access: { kind: "signed-in", nodes: "every" },
      responses: { 204: null },
    },
    () => undefined,
  );
  const gone = route({ ...empty.spec, method: "DELETE" }, () => undefined);
  const { parts } = testIdentity({ good: ["node:admin"], weak: ["node:read"] });
  const server = await startServer({ parts: { ...parts, moreRoutes: [desk, empty, gone] } });
  const post = (body: string | null, headers: Record<string, string> = {}, path = "/api/desk/d1") =>
    server.get(path, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json", ...bearer("good").headers, ...headers },
    });
  return { server, post, handled };
}

async function codeOf(answer: Response): Promise<unknown> {
  const { code } = (await answer.json()) as { code: string };
  return [answer.status, code];
}

describe("a body", () => {
  test("that is as the row says reaches the handler, and its data comes back with the row's status", async () => {
    const { post, handled } = await startWithDesk();
    const answer = await post('{"name":"é"}', {}, "/api/desk/d1?dry=1");
    expect(answer.status).toBe(201);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await answer.json()).toEqual({ name: "é" });
    expect(handled).toEqual([
      { params: { id: "d1" }, query: { dry: "1" }, body: { name: "é" }, user: "usr_good", address: "127.0.0.1" },
    ]);
  });

  test("that is not, does not", async () => {
    const { post, handled } = await startWithDesk();
    const bad = [
      '{"name":1}',
      '{"name":"a","more":1}',
      '{"name":"a","name":"b"}',
      '{"__proto__":{"name":"a"}}',
      '{"name":"a"}x',
      "",
      "null",
      "[]",
      "\ufeff{}",
      '{"name":"\\ud800"}',
      "[".repeat(10_000),
    ];
    for (const body of bad) {
      expect([body, await codeOf(await post(body))]).toEqual([body, [400, "request.malformed"]]);
    }
    expect(handled).toEqual([]);
    expect(({} as Record<string, unknown>)["name"]).toBeUndefined();
  });

  test("that is not there keeps nobody waiting who names a type for it", async () => {
    const { server } = await startWithDesk();
    for (const type of ["application/json", "text/plain"]) {
      const headers = { "Content-Type": type, ...bearer("good").headers };
      expect((await server.get("/api/empty", { method: "DELETE", headers })).status).toBe(204);
    }
  });

  test("of another type or with an encoding is not even read", async () => {
    const { post, handled } = await startWithDesk();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json, text/plain",
      "application/json; a=b",
    ]) {
      expect(await codeOf(await post('{"name":"a"}', { "Content-Type": type }))).toEqual([
        415,
        "request.unsupported_media_type",
      ]);
    }
    expect(await codeOf(await post('{"name":"a"}', { "Content-Encoding": "gzip" }))).toEqual([
      415,
      "request.unsupported_media_type",
    ]);
    expect(handled).toEqual([]);
  });

  test("that is too large is refused, whether it says so or not, and the answer arrives", async () => {
    const { post, server } = await startWithDesk();
    expect(await codeOf(await post(`{"name":"${"x".repeat(1024 * 1024)}"}`))).toEqual([413, "request.body_too_large"]);
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const head = `POST /api/desk/d1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const [answer] = await server.raw(`${head}${chunk.repeat(20)}0\r\n\r\n`);
    expect([answer?.status, answer?.json()["code"]]).toEqual([413, "request.body_too_large"]);
  });

  test("in chunks is read like any other", async () => {
    const { server, handled } = await startWithDesk();
    const head = `POST /api/desk/d1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const [answer] = await server.raw(`${head}5\r\n{"nam\r\n7\r\ne":"a"}\r\n0\r\n\r\n`);
    expect(answer?.status).toBe(201);
    expect(handled).toHaveLength(1);
  });

  test("that ends too early runs no handler", async () => {
    const { server, handled } = await startWithDesk();
    const head = `POST /api/desk/d1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const [answer] = await server.raw(`${head}5\r\n{"nam\r\nzz\r\n`);
    expect([answer?.status, answer?.json()["code"]]).toEqual([400, "request.malformed"]);
    expect(handled).toEqual([]);
  });

  test("is not awaited where the row has none", async () => {
    const { post } = await startWithDesk();
    const done = await post(null, {}, "/api/empty");
    expect([done.status, await done.text()]).toEqual([204, ""]);
    expect(await codeOf(await post("{}", {}, "/api/empty"))).toEqual([400, "request.malformed"]);
  });

  test("may be announced with Expect: 100-continue", async () => {
    const { server } = await startWithDesk();
    const request = `POST /api/desk/d1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n{"name":"a"}`;
    const [answer] = await server.raw(request);
    expect(answer?.status).toBe(201);
  });
});

describe("the order of the checks", () => {
  test("no credential, then no scope, are told before anything about the body", async () => {
    const { post, handled } = await startWithDesk();
    const broken = { "Content-Type": "text/plain" };
    expect(await codeOf(await post("{", { ...broken, Authorization: "Basic x" }))).toEqual([
      401,
      "auth.credential_refused",
    ]);
    expect(await codeOf(await post("{", { ...broken, Authorization: "Bearer nobody" }))).toEqual([
      401,
      "auth.credential_refused",
    ]);
    expect(await codeOf(await post("{", { ...broken, Authorization: "Bearer weak" }))).toEqual([
      403,
      "auth.scope_missing",
    ]);
    expect(await codeOf(await post("{", broken))).toEqual([415, "request.unsupported_media_type"]);
    expect(await codeOf(await post("{", {}, "/api/desk/d1?token=good"))).toEqual([400, "request.malformed"]);
    expect(handled).toEqual([]);
  });

  test("a credential in the URL is none", async () => {
    const { server } = await startWithDesk();
    const answer = await server.get("/api/desk/d1?token=good&access_token=good", { method: "POST" });
    expect(await codeOf(answer)).toEqual([401, "auth.credential_required"]);
    expect(server.logLines.join("")).not.toContain("good");
  });

  test("a refused body leaves its connection usable", async () => {
    const { server } = await startWithDesk();
    const refused = `POST /api/desk/d1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"a"}`;
    const answers = await server.raw(`${refused}GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n`, 2);
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  });
});
