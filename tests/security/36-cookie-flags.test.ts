import { expect, test } from "vitest";
import { type Authenticate, sessionCookieName, spyRoute, startPlanted } from "./inside/planted-server.ts";
import { readOpenApi } from "./support/openapi.ts";
import { send } from "./support/raw-http.ts";
import { signIn } from "./support/sign-in.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** 1Panel: the session cookie could be read by script and went over plain HTTP. */
const server = await sharedServer({
  env: { SERVICE_SECURE_COOKIES: "1", SERVICE_PUBLIC_URL: "https://console.example.test", SERVICE_TRUST_PROXY: "1" },
});

test("the cookies of signing in and out have the prefix and all of their flags", async (context) => {
  const administrator = await signIn(server.port);
  expect(administrator.setCookie).toMatch(/^__Host-gatehouse=[A-Za-z0-9_-]{43};/);
  const out = await send(server.port, administrator.as({ method: "POST", path: "/api/auth/logout" }));
  expect(out.status).toBe(204);
  const cleared = out.headers.get("set-cookie") ?? "";
  expect(cleared).toMatch(/^__Host-gatehouse=;.*Max-Age=0/);
  const cookies = [...administrator.setCookie.split("\n"), cleared];
  expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual([
    "__Host-gatehouse",
    "__Host-gatehouse-device",
    "__Host-gatehouse",
  ]);
  for (const cookie of cookies) expect(isHardCookie(cookie), cookie).toBe(true);
  const after = await send(server.port, administrator.as({ path: "/api/auth/whoami" }));
  expect(after.status).toBe(401);
  tried(context, "the cookies of a sign-in and a sign-out");
});

test("no other route sets a cookie without them", async (context) => {
  const { operations } = await readOpenApi(server.port);
  const requests = [
    ...["/", "/login", "/theme-init.js", "/assets/none"].map((path) => ({ method: "GET", path })),
    ...operations.map(({ method, path }) => ({ method, path: path.replaceAll(/\{[a-zA-Z]+\}/g, "1") })),
  ];
  const cookies: string[] = [];
  for (const { method, path } of requests) {
    const body = method === "GET" ? {} : { body: "{}", headers: [["Content-Type", "application/json"]] as const };
    const { headers } = await send(server.port, { method, path, ...body });
    const set = headers.get("set-cookie");
    if (set !== undefined) cookies.push(...set.split("\n"));
  }
  expect(cookies.filter((cookie) => !isHardCookie(cookie))).toEqual([]);
  tried(context, `${count(requests.length, "routes")} set ${count(cookies.length, "cookies")}`);
});

test("the check of cookies finds every missing flag", () => {
  const good = "__Host-gatehouse=abc; Path=/; Secure; HttpOnly; SameSite=Strict";
  expect(isHardCookie(good)).toBe(true);
  for (const part of ["; Path=/", "; Secure", "; HttpOnly", "; SameSite=Strict", "__Host-"]) {
    expect(isHardCookie(good.replace(part, "")), part).toBe(false);
  }
  expect(isHardCookie(`${good}; Domain=example.test`)).toBe(false);
  expect(isHardCookie(good.replace("Strict", "Lax"))).toBe(false);
  expect(isHardCookie(good.replace("Path=/", "Path=/api"))).toBe(false);
});

/** With secure cookies on, the only name that counts is the one browsers protect. */
test("a cookie without the prefix, or one of two, is nobody's session", async (context) => {
  expect(sessionCookieName(true)).toBe("__Host-gatehouse");
  const asked: string[] = [];
  const authenticate: Authenticate = ({ credential }) => {
    if (credential.kind === "cookie") asked.push(credential.value);
    return undefined;
  };
  const spec = {
    method: "GET",
    path: "/api/planted/x",
    summary: "x",
    access: { kind: "signed-in", nodes: "every" },
    responses: { 200: null },
  } as const;
  await using planted = await startPlanted({
    routes: [spyRoute(spec)],
    authenticate,
    env: { SERVICE_SECURE_COOKIES: "1", SERVICE_PUBLIC_URL: "https://console.example.test" },
  });
  const foreign = joined(
    ["gatehouse=v", "__Host_gatehouse=v", "__host-gatehouse=v", "__HOST-GATEHOUSE=v", "__Secure-gatehouse=v"],
    ["x__Host-gatehouse=v", "__Host-gatehouse2=v", "__Host-gatehouse", "__Host-gatehouse =v; __Host-gatehouse=w"],
    ["__Host-gatehouse=v; __Host-gatehouse=w", "__Host-gatehouse=a b", '__Host-gatehouse="v"', "__Host-gatehouse=v,w"],
    ["__Host-gatehouse=", "=__Host-gatehouse=v", "__Host-gatehouse%3dv", `__Host-gatehouse=${"v".repeat(513)}`],
  );
  for (const cookie of foreign) {
    const { status } = await send(planted.port, { path: "/api/planted/x", headers: [["Cookie", cookie]] });
    expect({ cookie, status }).toEqual({ cookie, status: 401 });
  }
  const twice = [
    ["Cookie", "__Host-gatehouse=v"],
    ["Cookie", "__Host-gatehouse=w"],
  ] as const;
  expect((await send(planted.port, { path: "/api/planted/x", headers: twice })).status).toBe(401);
  expect(asked).toEqual([]);
  await send(planted.port, { path: "/api/planted/x", headers: [["Cookie", "a=b; __Host-gatehouse=v"]] });
  expect(asked).toEqual(["v"]);
  tried(context, count(foreign.length + 1, "planted cookies ignored or refused"));
});

/** RFC 6265bis, 4.1.3.2, and what the product promises beyond it. */
function isHardCookie(cookie: string): boolean {
  const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
  const flags = new Map<string, string>();
  for (const part of attributes) {
    const [name = "", value = ""] = part.toLowerCase().split("=");
    flags.set(name, value);
  }
  return (
    pair.startsWith("__Host-") &&
    flags.has("secure") &&
    flags.has("httponly") &&
    flags.get("samesite") === "strict" &&
    flags.get("path") === "/" &&
    !flags.has("domain")
  );
}
