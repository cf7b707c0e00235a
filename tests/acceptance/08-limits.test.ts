import { describe, expect, test } from "vitest";
import { ask, askSlowly } from "./ask.ts";
import { shipped } from "./driver/nginx.ts";
import { lineOfRequest } from "./log-line.ts";
import { isExternal, runServer, startServer, useServer } from "./server-under-test.ts";
import { filesOfShell } from "./shell-page.ts";

/** Contract 8, row by row. */
const server = useServer();

describe.skipIf(isExternal)("Default slow-request threshold", () => {
  test("1000 ms", async () => {
    // To the millisecond `apps/server/test/slow-requests.test.ts` sees it, by a clock that it moves.
    const { out } = await runServer(["--help"]);
    expect(out).toMatch(/SERVICE_SLOW_REQUEST_MS\n(?: {6}.*\n)*? {6}Unset: 1000\./);
    const own = await startServer({ settings: { SERVICE_ACCESS_LOG: "1" } });
    const loggedAfter = async (ms: number) => {
      const { headers, status } = await askSlowly(own.baseUrl, ms);
      const { message, fields } = await lineOfRequest(own, headers["x-request-id"]);
      return { status, message, ms: Number(fields["ms"]) };
    };
    const above = await loggedAfter(1_010);
    expect(above).toEqual({ status: 204, message: "SLOW request", ms: expect.any(Number) });
    expect(above.ms).toBeGreaterThan(1_000);
    // A busy machine may make any request slow: one is waited for that was long and not too long.
    for (let most = 50, below = false; !below; most -= 1) {
      if (most === 0) throw new Error("stopped: of fifty requests none took between 500 and 1000 ms");
      const { message, ms } = await loggedAfter(500);
      expect({ ms, message }).toEqual({ ms, message: ms > 1_000 ? "SLOW request" : "request" });
      below = ms <= 1_000;
    }
  });
});

test("Example proxy body limit: 50 MiB", () => {
  expect(shipped("gatehouse.conf")).toMatch(/^ +client_max_body_size 50m;$/m);
});

test("Example proxy read and send timeouts: 300 s", () => {
  expect(shipped("gatehouse.conf")).toMatch(/^ {4}proxy_read_timeout 300s;$/m);
  expect(shipped("gatehouse.conf")).toMatch(/^ {4}proxy_send_timeout 300s;$/m);
});

test("`/assets/*` max-age: 31536000 s", async () => {
  const assets = (await filesOfShell(server.baseUrl)).filter((file) => file.startsWith("/assets/"));
  expect(assets.length).toBeGreaterThan(0);
  for (const path of assets) {
    const { headers } = await ask(server.baseUrl, path);
    expect(/\bmax-age=(\d+)/.exec(headers["cache-control"] ?? "")?.[1], path).toBe("31536000");
  }
});

/** Sent at once. At one a second the bucket could only fill as fast as a server that needs a minute for them. */
const manyRequests = Array.from({ length: 60 }, (_one, at) => at);

describe.skipIf(isExternal)("rate limiting uses the real client address", () => {
  const limits = { SERVICE_API_RATE: "1,3" };

  test("one visitor behind the proxy is limited, and the others are not", async () => {
    const own = await startServer({ settings: { ...limits, SERVICE_TRUST_PROXY: "1" } });
    const statusOf = async (address: string) =>
      (await ask(own.baseUrl, { path: "/api/version", headers: { "X-Real-IP": address } })).status;
    const first = await Promise.all(manyRequests.map(() => statusOf("203.0.113.1")));
    expect(first).toContain(200);
    expect(first).toContain(429);
    expect(await statusOf("203.0.113.2")).toBe(200);
  });

  test("without a trusted proxy nobody gets a limit of their own by writing a header", async () => {
    const own = await startServer({ settings: limits });
    const statuses = await Promise.all(
      manyRequests.map(async (index) => {
        const headers = { "X-Real-IP": `203.0.113.${index}`, "X-Forwarded-For": `203.0.113.${index}` };
        return (await ask(own.baseUrl, { path: "/api/version", headers })).status;
      }),
    );
    expect(statuses).toContain(429);
  });
});
