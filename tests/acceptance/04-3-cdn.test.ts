import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ask } from "./ask.ts";
import { type Nginx, shipped, siteName, startNginx } from "./driver/nginx.ts";
import { firstAdministrator } from "./driver/server-driver.ts";
import { addressInLog } from "./log-line.ts";
import {
  isExternal,
  type RunningServer,
  startServer,
  testWithControl,
  useControlledServer,
} from "./server-under-test.ts";

/**
 * Contract 4.3, with a real nginx that runs the three shipped files. Loopback addresses play the parts: 127.0.0.2 is in the
 * CDN's range, 127.0.0.3 is a stranger, and only 127.0.0.1 counts as loopback.
 */
const cdn = "127.0.0.2";
const stranger = "127.0.0.3";
const visitor = "203.0.113.9";
const Host = siteName;

describe.skipIf(isExternal)("Behind a CDN proxy", () => {
  const server = useControlledServer({
    settings: { SERVICE_PUBLIC_URL: `https://${siteName}`, SERVICE_TRUST_PROXY: "1", SERVICE_ACCESS_LOG: "1" },
  });
  let nginx: Nginx;
  beforeAll(async () => {
    nginx = await startNginx({ upstream: upstreamOf(server()), cdnAddress: cdn, narrowLoopback: true });
  });
  afterAll(() => nginx.stop());

  test("the real visitor address arrives in a connecting-client-IP header set by the CDN", async () => {
    for (const address of [visitor, "2001:db8::9"]) {
      const answer = await askHealth(cdn, { "CF-Connecting-IP": address });
      expect(answer.status).toBe(200);
      expect(await addressInLog(server(), answer.headers["x-request-id"])).toBe(address);
    }
  });

  test("but only for requests whose peer is in the CDN's published address ranges", async () => {
    const answer = await askHealth("127.0.0.1", { "CF-Connecting-IP": visitor, "X-Real-IP": visitor });
    expect(answer.status).toBe(200);
    expect(await addressInLog(server(), answer.headers["x-request-id"])).toBe("127.0.0.1");
  });

  test("a chain that the visitor made up does not change who the visitor is", async () => {
    const answer = await askHealth(cdn, { "CF-Connecting-IP": visitor, "X-Forwarded-For": "198.51.100.1, 10.0.0.1" });
    expect(await addressInLog(server(), answer.headers["x-request-id"])).toBe(visitor);
  });

  describe("the audit log and session security rely on the real client address", () => {
    /** A visitor of the CDN, with the cookie of their sign-in. */
    const visit = async (address: string) => {
      const through = { Host, "CF-Connecting-IP": address, "Sec-Fetch-Site": "same-origin" };
      const json = { "Content-Type": "application/json" };
      const send = (method: string, path: string, cookie: string, body?: object) =>
        ask(nginx.httpsUrl, {
          method,
          path,
          from: cdn,
          headers: { ...through, Cookie: cookie, ...(body && json) },
          ...(body && { body: JSON.stringify(body) }),
        });
      const signedIn = await send("POST", "/api/auth/login", "none=1", {
        username: firstAdministrator["SERVICE_ADMIN_USERNAME"],
        password: firstAdministrator["SERVICE_ADMIN_PASSWORD"],
      });
      expect(signedIn.status).toBe(200);
      const cookie = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
      return {
        call: (method: string, path: string, body?: object) => send(method, path, cookie, body),
        list: async (path: string) => (await send("GET", path, cookie)).json["items"] as Record<string, unknown>[],
      };
    };

    test("the audit log has the visitor's address", async () => {
      for (const address of ["203.0.113.21", "2001:db8::21"]) {
        const { call, list } = await visit(address);
        expect((await call("POST", "/api/tokens", { name: address, scopes: ["node:read"] })).status).toBe(201);
        const [issued] = await list("/api/audit?action=token.issued&limit=1");
        const [signedIn] = await list("/api/audit?action=auth.signed_in&limit=1");
        expect([issued?.["address"], signedIn?.["address"]]).toEqual([address, address]);
      }
    });

    test("sessions have the visitor's address", async () => {
      await visit("203.0.113.22");
      const { list } = await visit("203.0.113.23");
      const sessions = await list("/api/auth/sessions");
      expect(sessions.find(({ current }) => current)?.["address"]).toBe("203.0.113.23");
      expect(sessions.map(({ address }) => address)).toContain("203.0.113.22");
      expect(sessions.map(({ address }) => address)).not.toContain("127.0.0.1");
    });
  });

  describe("Origin lock", () => {
    test("a request through the CDN to `/api/health` yields 200", async () => {
      expect((await askHealth(cdn, { "CF-Connecting-IP": visitor })).status).toBe(200);
      // A health check on the machine itself is let through as well.
      expect((await askHealth("127.0.0.1")).status).toBe(200);
    });

    test("the same request sent straight to the origin IP yields 403", async () => {
      for (const path of ["/api/health", "/", "/login", "/assets/x.js", "/api/agent/control/stream"]) {
        const answer = await ask(nginx.httpsUrl, { path, headers: { Host }, from: stranger });
        expect(answer.status, path).toBe(403);
        // The proxy answered; the server did not even see it.
        expect(answer.headers["x-request-id"], path).toBeUndefined();
      }
    });

    test("The original peer (not the replaced address) is what is tested", async () => {
      expect((await askHealth(stranger, { "CF-Connecting-IP": cdn })).status).toBe(403);
      expect((await askHealth(stranger, { "CF-Connecting-IP": "127.0.0.1" })).status).toBe(403);
      expect((await askHealth(cdn, { "CF-Connecting-IP": stranger })).status).toBe(200);
    });

    test("Port 80 is not locked", async () => {
      const answer = await ask(nginx.httpUrl, { path: "/login", headers: { Host }, from: stranger });
      expect(answer.status).toBe(301);
      const challenge = { path: "/.well-known/acme-challenge/none", headers: { Host }, from: stranger };
      expect((await ask(nginx.httpUrl, challenge)).status).toBe(404);
    });

    const own = ownAddress();
    test.skipIf(own === undefined)(
      "neither a CDN range nor loopback: the shipped lines as they are lock out an address of this machine",
      async () => {
        const asShipped = await startNginx({ upstream: upstreamOf(server()), cdnAddress: cdn });
        onTestFinished(() => asShipped.stop());
        const from = (address: string) =>
          ask(asShipped.httpsUrl, { path: "/api/health", headers: { Host }, from: address });
        expect((await from(own ?? "")).status).toBe(403);
        expect((await from("127.0.0.77")).status).toBe(200);
      },
    );
  });

  test("`/api/health` must not be a cache hit", async () => {
    const answers = [await askHealth(cdn), await askHealth(cdn)];
    for (const { headers } of answers) expect(headers["cache-control"]).toBe("no-store");
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(2);
  });

  const askHealth = (from: string, headers: Record<string, string> = {}) =>
    ask(nginx.httpsUrl, { path: "/api/health", headers: { Host, ...headers }, from });
});

testWithControl("The service must be started with `SERVICE_TRUST_PROXY=1` so it uses that header", async () => {
  // A tunnel on this machine that passes the CDN's header on, without nginx between.
  for (const [trust, expected] of [
    ["1", visitor],
    ["0", "127.0.0.1"],
  ] as const) {
    const server = await startServer({ settings: { SERVICE_TRUST_PROXY: trust, SERVICE_ACCESS_LOG: "1" } });
    const answer = await ask(server.baseUrl, { path: "/api/health", headers: { "CF-Connecting-IP": visitor } });
    expect(await addressInLog(server, answer.headers["x-request-id"])).toBe(expected);
  }
});

test("address ranges (IPv4 and IPv6): the shipped file trusts and lets in exactly the same ones", () => {
  const file = shipped("cdn-real-address.conf");
  const trusted = [...file.matchAll(/^set_real_ip_from (\S+);$/gm)].map((match) => match[1]);
  const letIn = [...file.matchAll(/^ +(\S+) +cdn;$/gm)].map((match) => match[1]);
  expect(letIn).toEqual(trusted);
  expect(trusted.filter((range) => range?.includes(".")).length).toBeGreaterThan(0);
  expect(trusted.filter((range) => range?.includes(":")).length).toBeGreaterThan(0);
});

function upstreamOf({ baseUrl }: RunningServer): string {
  return new URL(baseUrl).host;
}

/** An address of this machine that is not loopback; packets from it to 127.0.0.1 never leave the machine. */
function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}
