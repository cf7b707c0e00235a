import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { describe, expect } from "vitest";
import { ask, askSlowly, beginAsking } from "./ask.ts";
import { lineOfRequest, type LogLine, parseLogLine } from "./log-line.ts";
import { signIn } from "./plugin-yard.ts";
import { type RunningServer, startServer, testWithControl as test } from "./server-under-test.ts";
import { askWhileStopping } from "./while-stopping.ts";

/** Contract 5.2. A slow request is one whose client takes its time with the body; nothing is slow for who waits ten minutes. */
const nothingIsSlow = { SERVICE_SLOW_REQUEST_MS: "600000" };
const isSlow = ({ ms }: { readonly ms?: unknown }, threshold: number) => Number(ms) > threshold;

describe("Request logging", () => {
  test("Each logged request records method, path, status, response size, latency, client IP and request id", async () => {
    const server = await startServer({ settings: { ...nothingIsSlow, SERVICE_ACCESS_LOG: "1" } });
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

  test("a stream is logged when it ends, with the bytes that it sent and how long it lived", async () => {
    const server = await startServer({ settings: { SERVICE_SLOW_REQUEST_MS: "1", SERVICE_ACCESS_LOG: "1" } });
    const { headers } = await signIn(server);
    const asking = beginAsking(server.baseUrl, { path: "/api/events", headers });
    asking.end();
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    const [first] = (await once(response, "data")) as [Buffer];
    expect(requestsIn(server).filter(({ path }) => path === "/api/events")).toEqual([]);
    asking.destroy();
    const { message, fields } = await lineOfRequest(server, response.headers["x-request-id"]);
    // However long it lived, it was not slow.
    expect(message).toBe("request");
    expect(fields).toMatchObject({ method: "GET", path: "/api/events", status: 200, ms: expect.any(Number) });
    expect(fields["bytes"]).toBe(first.byteLength);
  });

  test("By default only requests slower than the threshold, or with a 5xx status, are logged", async () => {
    const patient = await startServer({ settings: nothingIsSlow });
    const paths = ["/", "/api/health", "/api/nothing", "/api/events", "/assets/nothing.js"];
    for (const path of paths) expect((await ask(patient.baseUrl, path)).status).toBeLessThan(500);
    const failed = await askWhileStopping(patient, "/api/ready");
    expect(failed.status).toBe(503);
    expect(requestsIn(patient)).toMatchObject([{ requestId: failed.headers["x-request-id"], status: 503 }]);

    const server = await startServer({ settings: { SERVICE_SLOW_REQUEST_MS: "300" } });
    for (const path of paths) await ask(server.baseUrl, path);
    const slow = await askSlowly(server.baseUrl, 350);
    await server.stop();
    // On a busy machine others may be slow too: each that is logged was.
    expect(requestsIn(server).filter((fields) => !isSlow(fields, 300))).toEqual([]);
    expect(requestsIn(server).at(-1)).toMatchObject({ requestId: slow.headers["x-request-id"], status: 204 });
  });

  test("slow entries carry the tag `SLOW request`", async () => {
    const server = await startServer({ settings: { SERVICE_SLOW_REQUEST_MS: "500", SERVICE_ACCESS_LOG: "1" } });
    const slow = await askSlowly(server.baseUrl, 550);
    const fast = await ask(server.baseUrl, "/api/nothing");
    const line = await lineOfRequest(server, slow.headers["x-request-id"]);
    expect(line).toMatchObject({ level: "warn", message: "SLOW request" });
    expect(line.fields).toMatchObject({ method: "POST", path: "/api/csp-reports", status: 204 });
    expect(line.fields["ms"]).toBeGreaterThan(500);
    const other = await lineOfRequest(server, fast.headers["x-request-id"]);
    expect(other.message).toBe(isSlow(other.fields, 500) ? "SLOW request" : "request");
  });
});

test("`SERVICE_ACCESS_LOG` log every request instead of only slow ones", async () => {
  const server = await startServer({
    settings: { ...nothingIsSlow, SERVICE_ACCESS_LOG: "1", SERVICE_API_RATE: "1000,2000" },
  });
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
  const line = lines.find(({ requestId }) => requestId === answer.headers["x-request-id"]) ?? {};
  expect(line).toEqual({
    time: expect.any(String),
    ...(isSlow(line, 500) ? { level: "warn", message: "SLOW request" } : { level: "info", message: "request" }),
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
  const server = await startServer({ settings: { ...nothingIsSlow, SERVICE_ACCESS_LOG: "1" } });
  const path = '/x"%0a%0d status=200 address=1.2.3.4'.replaceAll(" ", "%20");
  const answer = await ask(server.baseUrl, { path, headers: { "X-Request-Id": "forged", "User-Agent": "a\tb" } });
  const { fields } = await lineOfRequest(server, answer.headers["x-request-id"]);
  expect(fields).toMatchObject({ path, status: 200, address: "127.0.0.1" });
  expect(server.log.text).not.toContain("forged");
  expect(server.log.all.map(parseLogLine).filter(({ message }) => message === "request")).toHaveLength(1);
});

/** What the log says of each request, in order. */
function requestsIn(server: RunningServer): LogLine["fields"][] {
  return server.log.all.map(parseLogLine).flatMap(({ fields }) => ("status" in fields ? [fields] : []));
}
