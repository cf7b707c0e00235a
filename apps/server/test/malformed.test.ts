import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { route } from "../src/platform/route/index.ts";
import { agentSpec, handshake, plantedSocket } from "./planted-sockets.ts";
import { startServer } from "./start-server.ts";

const host = "Host: localhost\r\n";

describe("bytes that are not a request", () => {
  const broken: ReadonlyArray<readonly [what: string, bytes: string | Uint8Array, status: number, code: string]> = [
    ["nonsense", "BOGUS\r\n\r\n", 400, "request.malformed"],
    [
      "a TLS hello",
      Uint8Array.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 10, 13, 10, 13, 10]),
      400,
      "request.malformed",
    ],
    ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "request.malformed"],
    ["a space in a header name", `GET /api/health HTTP/1.1\r\n${host}Bad Name: x\r\n\r\n`, 400, "request.malformed"],
    ["a space before the colon", `GET /api/health HTTP/1.1\r\n${host}X : y\r\n\r\n`, 400, "request.malformed"],
    ["a folded header", `GET /api/health HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400, "request.malformed"],
    ["a bare line feed", `GET /api/health HTTP/1.1\n${host}\n`, 400, "request.malformed"],
    ["NUL in a header", `GET /api/health HTTP/1.1\r\n${host}X: a\u0000b\r\n\r\n`, 400, "request.malformed"],
    [
      "two lengths",
      `POST /api/csp-reports HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`,
      400,
      "request.malformed",
    ],
    [
      "a length and chunks",
      `POST /api/csp-reports HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      "request.malformed",
    ],
    [
      "an unknown transfer coding",
      `POST /api/csp-reports HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n`,
      400,
      "request.malformed",
    ],
    [
      "a length that is no number",
      `POST /api/csp-reports HTTP/1.1\r\n${host}Content-Length: +1\r\n\r\nx`,
      400,
      "request.malformed",
    ],
    ["an unknown method", `HACK /api/health HTTP/1.1\r\n${host}\r\n`, 400, "request.malformed"],
    ["another HTTP version", `GET /api/health HTTP/3.7\r\n${host}\r\n`, 400, "request.malformed"],
    [
      "a head over 16 KiB",
      `GET /api/health HTTP/1.1\r\n${host}X: ${"a".repeat(17_000)}\r\n\r\n`,
      431,
      "request.headers_too_large",
    ],
    ["a path over 16 KiB", `GET /api/${"a".repeat(17_000)} HTTP/1.1\r\n${host}\r\n`, 431, "request.headers_too_large"],
    ["CONNECT", `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, 405, "request.method_not_allowed"],
    [
      "CONNECT with a body under way",
      `CONNECT evil.example:443 HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\n`,
      405,
      "request.method_not_allowed",
    ],
    ["an odd expectation", `GET /api/version HTTP/1.1\r\n${host}Expect: wonders\r\n\r\n`, 400, "request.malformed"],
  ];

  test("get a whole problem with every header, and the server goes on", async () => {
    const server = await startServer();
    for (const [what, bytes, status, code] of broken) {
      const [answer] = await server.raw(bytes);
      expect([what, answer?.status, answer?.json()["code"]]).toEqual([what, status, code]);
      expect(answer?.headers.get("content-type")).toBe("application/problem+json");
      expect(answer?.headers.get("x-request-id")).toBe(answer?.json()["requestId"]);
      expect(answer?.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(answer?.headers.get("cache-control")).toBe("no-store");
    }
    expect((await server.get("/api/health")).status).toBe(200);
  });

  test("after a good request are answered after it", async () => {
    const server = await startServer();
    const answers = await server.raw(`GET /api/health HTTP/1.1\r\n${host}\r\nBOGUS\r\n\r\n`, 2);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  });

  test("without end close the connection and hurt nobody", async () => {
    const server = await startServer();
    const sockets = Array.from({ length: 20 }, () => connect(server.port, "127.0.0.1"));
    for (const socket of sockets) {
      socket.on("error", () => undefined);
      socket.write(`GET /api/health HTTP/1.1\r\n${host}X: `);
    }
    expect((await server.get("/api/health")).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

describe("broken bytes behind a request that is still worked on", () => {
  test("never get an answer before it", async () => {
    let release = () => undefined as void;
    const waiting = new Promise<string>((resolve) => {
      release = () => resolve("first");
    });
    const row = route(
      {
        method: "GET",
        path: "/api/slow",
        summary: "",
        access: { kind: "public", because: "test" },
        responses: { 200: z.string() },
      },
      () => waiting,
    );
    const server = await startServer({ parts: { moreRoutes: [row] } });
    const slow = `GET /api/slow HTTP/1.1\r\n${host}\r\n`;
    const brokenBody = `POST /api/csp-reports HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
    const asked = ["BOGUS\r\n\r\n", brokenBody].map((bytes) => server.raw(slow + bytes, 2));
    await server.get("/api/health");
    release();
    for (const answers of await Promise.all(asked)) {
      expect(answers.map(({ status }) => status)).toEqual([200, 400]);
      expect(answers[0]?.json()).toBe("first");
      expect(answers[1]?.headers.get("connection")).toBe("close");
    }
  });
});

describe("a request to change the protocol", () => {
  test("for a WebSocket is refused where there is none, whatever else there is", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startServer({ parts: { moreSockets: [planted.row] } });
    const paths = [
      "/api/terminal/sessions/x/attach",
      "/api/agent/terminal/stream",
      "/api/version",
      `${agentSpec.path}/more`,
      `${agentSpec.path}/`,
      agentSpec.path.toUpperCase().replace("/API/", "/api/"),
    ];
    for (const path of paths) {
      const [answer] = await server.raw(handshake(path));
      expect([path, answer?.status, answer?.json()["code"]]).toEqual([path, 404, "request.unknown_route"]);
    }
    expect(planted.opened).toEqual([]);
  });

  test("for a WebSocket with a body, also one under way, is refused and hurts nobody", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startServer({ parts: { moreSockets: [planted.row] } });
    for (const body of [{ "Content-Length": "2" }, { "Transfer-Encoding": "chunked" }, { "Transfer-Encoding": "x" }]) {
      const [answer] = await server.raw(handshake(agentSpec.path, body));
      expect([answer?.status, answer?.json()["code"]]).toEqual([400, "request.malformed"]);
    }
    expect((await server.get("/api/health")).status).toBe(200);
    expect(planted.opened).toEqual([]);
  });

  test("must not come with a body", async () => {
    const server = await startServer();
    const head = `POST /api/csp-reports HTTP/1.1\r\n${host}Content-Type: application/json\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n`;
    for (const rest of ["Transfer-Encoding: chunked\r\n\r\n-1\r\nabc", "Content-Length: 2\r\n\r\n{}"]) {
      const [answer] = await server.raw(head + rest);
      expect([answer?.status, answer?.json()["code"]]).toEqual([400, "request.malformed"]);
    }
  });

  test("to something else is ignored: the request is answered as it is", async () => {
    const server = await startServer();
    const [answer] = await server.raw(
      `GET /api/health HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n`,
    );
    expect([answer?.status, answer?.body]).toEqual([200, '{"status":"ok"}']);
  });
});

describe("headers that a client tries to take out or double", () => {
  test("naming headers in Connection changes nothing (security class 71)", async () => {
    const server = await startServer({ config: { trustProxy: true, accessLog: true } });
    await server.raw(
      `GET /api/version HTTP/1.1\r\n${host}Connection: close, X-Real-IP, Authorization\r\nX-Real-IP: 198.51.100.7\r\n\r\n`,
    );
    expect(server.logLines.join("")).toContain("address=198.51.100.7");
  });

  test("a client-IP header sent twice is not believed", async () => {
    const server = await startServer({ config: { trustProxy: true, accessLog: true } });
    await server.raw(`GET /api/version HTTP/1.1\r\n${host}X-Real-IP: 198.51.100.7\r\nX-Real-IP: 198.51.100.8\r\n\r\n`);
    expect(server.logLines.join("")).toContain("address=127.0.0.1");
  });

  test("a client-IP header that the chain contradicts is not believed, and the operator hears of it once", async () => {
    const server = await startServer({ config: { trustProxy: true, accessLog: true } });
    const chain = "X-Forwarded-For: 192.0.2.9\r\n";
    for (const claim of ["192.0.2.9", "198.51.100.7", "198.51.100.8"]) {
      await server.raw(`GET /api/version HTTP/1.1\r\n${host}${chain}X-Real-IP: ${claim}\r\n\r\n`);
    }
    const warnings = server.logLines.filter((line) => line.includes("chain contradicts"));
    expect(warnings).toEqual([
      expect.stringMatching(/ warn +the proxy passes on a client-IP header .* todo="Have the proxy/),
    ]);
    expect(server.logLines.filter((line) => line.includes("address=192.0.2.9"))).toHaveLength(3);
    expect(server.logLines.join("")).not.toContain("198.51.100.");
  });
});
