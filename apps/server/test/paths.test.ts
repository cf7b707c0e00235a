import { fault } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { route } from "../src/platform/route/index.ts";
import { startServer } from "./start-server.ts";

/** A route whose handler must not run. */
function alarm() {
  let rang = 0;
  const spec = {
    method: "GET",
    path: "/api/alarm",
    summary: "",
    access: { kind: "public", because: "test" },
    responses: { 200: z.string() },
  } as const;
  const bell = route(spec, () => {
    rang += 1;
    return "canary";
  });
  return { routes: [bell], rang: () => rang };
}

const spellings = [
  "//api/alarm",
  "/API/alarm",
  "/%61pi/alarm",
  "/api%2falarm",
  "/api%2Falarm",
  "/api/%61larm",
  "/api/alarm%00",
  "/api/alarm%2e",
  "/api/alarm/",
  "/api/alarm;x=1",
  "/api;x/alarm",
  "/api/./alarm",
  "/api/x/../alarm",
  "/api/%2e%2e/api/alarm",
  "/api//alarm",
  "/x/../api/alarm",
  "/./api/alarm",
  "/api\\alarm",
  "\\api\\alarm",
  "/api/alarm%20",
  "/api/alarm%c0%af",
  "/api/alarm/..;/alarm",
  "/api/Alarm",
  "/api/alarm.json",
  "/api/alarm#x",
  "http://localhost/api/alarm",
  "http://localhost:1/api/alarm",
  "https://evil.example/api/alarm",
  "*",
  "api/alarm",
];

describe("other spellings of an API path", () => {
  test("never reach its handler: they get the shell, a 404 or a 400", async () => {
    const { routes, rang } = alarm();
    const server = await startServer({ parts: { moreRoutes: routes } });
    for (const path of spellings) {
      const [answer] = await server.raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect(answer?.body).not.toContain("canary");
      const isShell = answer?.status === 200 && answer.body.startsWith("<!doctype html>");
      expect([path, isShell || answer?.status === 404 || answer?.status === 400]).toEqual([path, true]);
    }
    expect(rang()).toBe(0);
    expect(await (await server.get("/api/alarm")).json()).toBe("canary");
  });
});

describe("the Host header", () => {
  const from = async (host: string, path: string, publicUrl?: URL) => {
    const server = await startServer({ config: { publicUrl } });
    const [answer] = await server.raw(`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`);
    return [
      answer?.status,
      answer?.headers.get("content-type") === "application/problem+json" ? answer.json()["code"] : "",
    ];
  };

  test("of another name gets 421 for pages, files and the API", async () => {
    for (const path of ["/", "/login", "/assets/app.1a2b.js", "/theme-init.js", "/api/version", "/api/none"]) {
      expect(await from("Host: evil.example", path)).toEqual([421, "request.unknown_host"]);
    }
  });

  test("does not matter for health and readiness", async () => {
    expect(await from("Host: evil.example", "/api/health")).toEqual([200, ""]);
    expect(await from("Host: evil.example", "/api/ready")).toEqual([200, ""]);
    expect(await from("Host: evil.example", "/api/health?x=1")).toEqual([200, ""]);
  });

  test("of the public URL is answered", async () => {
    const publicUrl = new URL("https://gate.example.com");
    expect(await from("Host: gate.example.com", "/api/version", publicUrl)).toEqual([200, ""]);
    expect(await from("Host: gate.example.com.evil.example", "/api/version", publicUrl)).toEqual([
      421,
      "request.unknown_host",
    ]);
  });

  test("that is missing or sent twice is refused", async () => {
    expect(await from("X: y", "/api/version")).toEqual([400, "request.malformed"]);
    expect(await from("Host: localhost\r\nHost: localhost", "/api/version")).toEqual([421, "request.unknown_host"]);
    expect(await from("Host:", "/api/version")).toEqual([421, "request.unknown_host"]);
  });

  test("never appears in an answer, nor does a forwarded one", async () => {
    const server = await startServer({ config: { trustProxy: true } });
    for (const path of ["/", "/api/openapi.json", "/api/none"]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.99\r\nX-Forwarded-Host: canary.example\r\nForwarded: host=canary.example\r\n\r\n`;
      const [answer] = await server.raw(request);
      const whole = `${[...(answer?.headers ?? [])].join()} ${answer?.body}`;
      expect(whole).not.toContain("canary.example");
      expect(whole).not.toContain("127.0.0.99");
    }
  });
});

test("a refusal thrown by a handler is answered as it is; a defect is answered as 500 and logged whole", async () => {
  const spec = (path: `/api/${string}`) =>
    ({
      method: "GET",
      path,
      summary: "",
      access: { kind: "public", because: "test" },
      responses: { 200: z.string() },
    }) as const;
  const server = await startServer({
    parts: {
      moreRoutes: [
        route(spec("/api/full"), () => {
          throw fault("store.disk_full", "canary");
        }),
        route(spec("/api/defect"), () => Promise.reject(new Error("canary of a defect"))),
        route(spec("/api/cyclic"), () => {
          const cyclic: Record<string, unknown> = {};
          cyclic["self"] = cyclic;
          return cyclic as unknown as string;
        }),
      ],
    },
  });
  const full = await server.get("/api/full");
  expect([full.status, await full.json()]).toMatchObject([507, { code: "store.disk_full" }]);
  for (const path of ["/api/defect", "/api/cyclic"]) {
    const answer = await server.get(path);
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([500, { code: "server.internal" }]);
    expect(text).not.toContain("canary");
  }
  expect(server.logLines.join("")).toContain("canary of a defect");
  expect((await server.get("/api/health")).status).toBe(200);
});
