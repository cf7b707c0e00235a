import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "@gatehouse/contract/settings";
import { expect, test } from "vitest";
import { type RawAnswer, type RequestOptions, send, sendRaw } from "./support/raw-http.ts";
import { repository, startRefused } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** A console inside an invisible frame: the operator clicks on something else than they see. */
const server = await sharedServer({
  env: {
    SERVICE_CSP_SCRIPT_SRC: "https://beacon.example.test",
    SERVICE_CSP_CONNECT_SRC: "https://collect.example.test https://other.example.test:8443",
  },
});
const { assets } = JSON.parse(readFileSync(join(repository, "dist/site/map.json"), "utf8")) as { assets: object };

const documents: readonly RequestOptions[] = joined(
  [
    "/",
    "/login",
    "/a/b/c",
    "/index.html",
    "/.well-known/x",
    "/apix",
    "/API/health",
    "//api/health",
    "/%61pi/",
    "/?x=1",
  ],
  [
    "/theme-init.js",
    "/assets/none.js",
    "/assets/",
    "/api/none",
    "/api/",
    "/api/%2e%2e/x",
    "/api/metrics",
    "/api/events",
  ],
  ["/api/health", "/api/ready", "/api/version", "/api/openapi.json", "/api/version?x=1"],
  Object.keys(assets).map((name) => `/assets/${name}`),
).flatMap((path) => [
  { path },
  { path, method: "HEAD" },
  { path, method: "POST", body: "x" },
  { path, headers: [["If-None-Match", "*"]] },
  { path, headers: [["Host", "evil.test"]] },
  { path, headers: [["Accept-Encoding", "br"]] },
]);

const brokenBytes = [
  "GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n",
  "nonsense\r\n\r\n",
  `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
  "CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n",
  "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
  "GET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: magic\r\nConnection: close\r\n\r\n",
  "POST /api/csp-reports HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
];

test("every answer forbids to be framed, whatever it answers", async (context) => {
  const statuses = new Set<number>();
  let answers = 0;
  const look = (answer: RawAnswer, about: string) => {
    expect(answer.status, about).not.toBe(0);
    expect(isUnframeable(answer), `${about}: ${answer.status}`).toBe(true);
    statuses.add(answer.status);
    answers += 1;
  };
  for (const request of documents) look(await send(server.port, request), JSON.stringify(request));
  for (const bytes of brokenBytes) look(await sendRaw(server.port, bytes), bytes.slice(0, 60));
  tried(context, `${count(answers, "answers")} with ${count(statuses.size, "different statuses")}`);
});

test("no setting can loosen the policy", async (context) => {
  const injected = [
    "https://x.test; frame-ancestors *",
    "https://x.test;frame-ancestors https://evil.test",
    "https://x.test;",
    "* 'unsafe-inline'",
    "'unsafe-eval'",
    "https://x.test'",
    "https://*.x.test",
    "data:",
    "https://x.test/%3bframe-ancestors *",
    "https:",
    "blob:",
  ];
  for (const value of injected) {
    expect(() => readSettings({ SERVICE_CSP_SCRIPT_SRC: value }), value).toThrow("SERVICE_CSP_SCRIPT_SRC");
    expect(() => readSettings({ SERVICE_CSP_CONNECT_SRC: value }), value).toThrow("SERVICE_CSP_CONNECT_SRC");
  }
  const { code, stderr } = await startRefused({ SERVICE_CSP_SCRIPT_SRC: injected[0] ?? "" });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^gatehouse-server: SERVICE_CSP_SCRIPT_SRC/);
  tried(context, count(injected.length, "injected policies refused at start"));
});

test("the check refuses what would let a page be framed", () => {
  const answer = (headers: [string, string][]): RawAnswer => {
    return { status: 200, headers: new Map(headers), head: "", body: Buffer.alloc(0), ms: 0 };
  };
  const deny: [string, string] = ["x-frame-options", "DENY"];
  const none = "default-src 'none'; frame-ancestors 'none'";
  expect(isUnframeable(answer([deny, ["content-security-policy", none]]))).toBe(true);
  expect(isUnframeable(answer([deny]))).toBe(false);
  expect(isUnframeable(answer([["content-security-policy", none]]))).toBe(false);
  expect(isUnframeable(answer([deny, ["content-security-policy", "frame-ancestors 'none' https://evil.test"]]))).toBe(
    false,
  );
  expect(isUnframeable(answer([deny, ["content-security-policy", `frame-ancestors *; ${none}`]]))).toBe(false);
});

/** The first directive of a name counts, so there must be exactly one. */
function isUnframeable({ headers }: RawAnswer): boolean {
  const directives = (headers.get("content-security-policy") ?? "").split(/[;\n]/).map((part) => part.trim());
  const own = directives.filter((part) => part.toLowerCase().startsWith("frame-ancestors"));
  return headers.get("x-frame-options") === "DENY" && own.length === 1 && own[0] === "frame-ancestors 'none'";
}
