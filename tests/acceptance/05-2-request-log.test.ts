import { describe, expect } from "vitest";
import { ask, askSlowly } from "./ask.ts";
import { lineOfRequest, parseLogLine } from "./log-line.ts";
import { startServer, testWithControl as test } from "./server-under-test.ts";
import { askWhileStopping } from "./while-stopping.ts";

/** Contract 5.2. A slow request is one whose client takes its time with the body. */
describe("Request logging", () => {
  test("Each logged request records method, path, status, response size, latency, client IP and request id", async () => {
    const server = await startServer({ settings: { SERVICE_ACCESS_LOG: "1" } });
    for (const question of [
      { method: "GET", path: "/api/version" },
      { method: "HEAD", path: "/api/version" },
      { method: "GET", path: "/login" },
      { method: "GET", path: "/api/nothing" },
      { method: "POST", path: "/api/health" },
    ]) {
      const answer = await ask(server.baseUrl, { ...question, path: `${question.path}?secret=1` });
      const { message, fields } = await lineOfRequest(server, answer.headers["x-request-id"]);
      expect(message).toBe("request");
      expect(fields).toEqual({
        method: question.method,
        path: question.path,
        status: answer.status,
        bytes: Buffer.byteLength(answer.text),
        ms: expect.any(Number),
        address: "127.0.0.1",
        requestId: answer.headers["x-request-id"],
      });
    }
  });

  test("By default only requests slower than the threshold, or with a 5xx status, are logged", async () => {
    const server = await startServer({ settings: { SERVICE_SLOW_REQUEST_MS: "900" } });
    for (const path of ["/", "/api/health", "/api/nothing", "/api/events", "/assets/nothing.js"]) {
      expect((await ask(server.baseUrl, path)).status).toBeLessThan(500);
    }
    const slow = await askSlowly(server.baseUrl, 950);
    const failed = await askWhileStopping(server, "/api/ready");
    expect(failed.status).toBe(503);
    const logged = server.log.all.map(parseLogLine).filter(({ fields }) => "status" in fields);
    expect(logged.map(({ fields }) => [fields["requestId"], fields["status"]])).toEqual([
      [slow.headers["x-request-id"], 204],
      [failed.headers["x-request-id"], 503],
    ]);
  });

  test("slow entries carry the tag `SLOW request`", async () => {
    const server = await startServer({ settings: { SERVICE_SLOW_REQUEST_MS: "500", SERVICE_ACCESS_LOG: "1" } });
    const slow = await askSlowly(server.baseUrl, 550);
    const fast = await ask(server.baseUrl, "/api/nothing");
    const line = await lineOfRequest(server, slow.headers["x-request-id"]);
    expect(line).toMatchObject({ level: "warn", message: "SLOW request" });
    expect(line.fields).toMatchObject({ method: "POST", path: "/api/csp-reports", status: 204 });
    expect(line.fields["ms"]).toBeGreaterThanOrEqual(500);
    expect((await lineOfRequest(server, fast.headers["x-request-id"])).message).toBe("request");
  });
});

test("`SERVICE_ACCESS_LOG` log every request instead of only slow ones", async () => {
  const server = await startServer({ settings: { SERVICE_ACCESS_LOG: "1", SERVICE_API_RATE: "1000,2000" } });
  const ids: unknown[] = [];
  for (let time = 0; time < 20; time += 1) {
    const path = ["/", "/api/health", "/theme-init.js", "/api/nothing"][time % 4] ?? "/";
    ids.push((await ask(server.baseUrl, path)).headers["x-request-id"]);
  }
  await server.stop();
  const logged = server.log.all.map(parseLogLine).filter(({ message }) => message === "request");
  expect(logged.map(({ fields }) => fields["requestId"])).toEqual(ids);
});

test("with `SERVICE_LOG_FORMAT=json` every line is one JSON object with the same fields", async () => {
  const server = await startServer({
    settings: { SERVICE_LOG_FORMAT: "json", SERVICE_ACCESS_LOG: "1", SERVICE_SLOW_REQUEST_MS: "500" },
  });
  const answer = await ask(server.baseUrl, "/api/version");
  const slow = await askSlowly(server.baseUrl, 550);
  await server.stop();
  const lines = server.log.all.map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const line of lines)
    expect(line).toMatchObject({ time: expect.stringMatching(/Z$/), level: expect.any(String) });
  expect(lines.find(({ requestId }) => requestId === answer.headers["x-request-id"])).toEqual({
    time: expect.any(String),
    level: "info",
    message: "request",
    method: "GET",
    path: "/api/version",
    status: 200,
    bytes: Buffer.byteLength(answer.text),
    ms: expect.any(Number),
    address: "127.0.0.1",
    requestId: answer.headers["x-request-id"],
  });
  expect(lines.find(({ requestId }) => requestId === slow.headers["x-request-id"])?.["message"]).toBe("SLOW request");
});

test("nothing that a client sends can begin a line of its own or pose as a field", async () => {
  const server = await startServer({ settings: { SERVICE_ACCESS_LOG: "1" } });
  const path = '/x"%0a%0d status=200 address=1.2.3.4'.replaceAll(" ", "%20");
  const answer = await ask(server.baseUrl, { path, headers: { "X-Request-Id": "forged", "User-Agent": "a\tb" } });
  const { fields } = await lineOfRequest(server, answer.headers["x-request-id"]);
  expect(fields).toMatchObject({ path, status: 200, address: "127.0.0.1" });
  expect(server.log.text).not.toContain("forged");
  expect(server.log.all.map(parseLogLine).filter(({ message }) => message === "request")).toHaveLength(1);
});
