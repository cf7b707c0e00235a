import { connect } from "node:net";
import { describe, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import * as z from "zod";
import { edgeLimits } from "../src/edge/limits.ts";
import { route } from "../src/platform/route/index.ts";
import {
  agentSpec,
  codeAtEnd,
  echoed,
  handshake,
  openAgent,
  plantedSocket,
  said,
  startPlanted,
  tryHandshake,
} from "./planted-sockets.ts";
import { startServer } from "./start-server.ts";

describe("a socket of agents", () => {
  test("carries text and bytes both ways, and its answer names the request", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startPlanted(planted);
    const answer = await tryHandshake(server.port, handshake(agentSpec.path));
    expect([said(answer), answer.headers.get("sec-websocket-protocol")]).toEqual(["101", "planted.1"]);
    expect(answer.headers.get("x-request-id")).toBe(planted.opened[0]?.facts.requestId);
    const client = await openAgent(server.port);
    expect(await echoed(client, "hello")).toBe("hello");
    expect(await echoed(client, Uint8Array.of(1, 2, 255))).toEqual(Buffer.from([1, 2, 255]));
    expect(planted.opened[1]?.facts).toMatchObject({ method: "GET", path: agentSpec.path, clientAddress: "127.0.0.1" });
    expect(planted.calls[1]).toMatchObject({ principal: undefined, nodes: undefined, params: undefined });
  });

  test("is told when the other side ends it, and ends it with its own code", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startPlanted(planted);
    const [first, second] = [await openAgent(server.port), await openAgent(server.port)];
    first.close(4_000);
    await expect.poll(() => planted.ends).toEqual([4_000]);
    planted.opened[1]?.close(4_001, "another connection");
    expect(await codeAtEnd(second)).toBe(4_001);
    await expect.poll(() => planted.ends).toEqual([4_000, 4_001]);
    expect(server.logLines.filter((line) => line.includes(agentSpec.path))).toEqual([
      expect.stringContaining("status=101"),
      expect.stringContaining("status=101"),
    ]);
  });

  test("hears nothing any more once it is being closed from here", async () => {
    const heard: unknown[] = [];
    const planted = plantedSocket(agentSpec, {
      open: (connection) => {
        connection.onMessage((data) => {
          heard.push(data);
          connection.close(4_002, "enough");
        });
      },
    });
    const server = await startPlanted(planted);
    const client = await openAgent(server.port);
    for (const text of ["one", "two", "three"]) client.send(text);
    expect(await codeAtEnd(client)).toBe(4_002);
    expect(heard).toEqual(["one"]);
  });

  test("closes with 1009 for a message over its bound, and takes one of exactly that size", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startPlanted(planted);
    const client = await openAgent(server.port);
    expect(await echoed(client, "x".repeat(agentSpec.maxFrame))).toHaveLength(agentSpec.maxFrame);
    client.send("x".repeat(agentSpec.maxFrame + 1));
    expect(await codeAtEnd(client)).toBe(1_009);
  });

  test("whose feature fails is closed with 1011, the reason is in the log, and the server goes on", async () => {
    const failing = plantedSocket(agentSpec, {
      open: (connection) =>
        connection.onMessage(() => {
          throw new Error("a defect");
        }),
    });
    const server = await startPlanted(failing);
    const client = await openAgent(server.port);
    client.send("anything");
    expect(await codeAtEnd(client)).toBe(1_011);
    expect(server.logLines.join("")).toContain("a defect");
    expect((await server.get("/api/health")).status).toBe(200);
  });

  test("answers pings, and cuts who asks and never reads", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startPlanted(planted);
    const client = await openAgent(server.port);
    const pong = new Promise<string>((resolve) => {
      client.once("pong", (data) => resolve(data.toString()));
    });
    client.ping("there?");
    expect(await pong).toBe("there?");
    client.pause();
    const [connection] = planted.opened;
    const piece = Buffer.alloc(256 * 1_024);
    while (planted.ends.length === 0) {
      connection?.send(piece);
      expect(connection?.queued()).toBeLessThanOrEqual(edgeLimits.socketQueueBytes + piece.length + 16);
      await new Promise(setImmediate);
    }
    expect(planted.ends).toEqual([1_006]);
  });
});

describe("a reader that takes nothing", () => {
  test("is cut after a minute, also when it goes on talking; one that reads stays", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const planted = plantedSocket({ ...agentSpec, maxFrame: 1_024 });
      const server = await startPlanted(planted);
      const [stalled, reading] = [await openAgent(server.port), await openAgent(server.port)];
      for (const client of [stalled, reading]) await echoed(client, "hello");
      stalled.pause();
      const [behind] = planted.opened;
      // More than the kernel holds for it, and less than what is cut at once.
      const piece = Buffer.alloc(256 * 1_024);
      while ((behind?.queued() ?? Number.POSITIVE_INFINITY) < edgeLimits.socketQueueBytes / 2) {
        behind?.send(piece);
        await new Promise(setImmediate);
      }
      for (let looks = 0; looks < 5 && planted.ends.length === 0; looks += 1) {
        expect(await echoed(reading, "still there")).toBe("still there");
        stalled.send("I talk");
        vi.advanceTimersByTime(edgeLimits.readerCheckMs);
        await new Promise(setImmediate);
      }
      await expect.poll(() => planted.ends).toEqual([1_006]);
      expect(await echoed(reading, "and still")).toBe("and still");
      await server.stop(1_000);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a request for a socket of agents", () => {
  const refused: readonly (readonly [what: string, other: Record<string, string | undefined>, said: string])[] = [
    ["another Host", { Host: "evil.example" }, "421 request.unknown_host"],
    ["no Host", { Host: undefined }, "400 request.malformed"],
    ["an Origin", { Origin: "http://localhost" }, "403 auth.cross_site"],
    ["an empty Origin", { Origin: "" }, "403 auth.cross_site"],
    ["a Cookie", { Cookie: "a=b" }, "403 auth.cross_site"],
    ["a body", { "Content-Length": "2" }, "400 request.malformed"],
    ["no key", { "Sec-WebSocket-Key": undefined }, "400 request.malformed"],
    ["a short key", { "Sec-WebSocket-Key": "AAAA" }, "400 request.malformed"],
    ["an older version", { "Sec-WebSocket-Version": "8" }, "400 request.malformed"],
    ["no version", { "Sec-WebSocket-Version": undefined }, "400 request.malformed"],
    ["two protocols", { Upgrade: "websocket, h2c" }, "400 request.malformed"],
    ["no subprotocol", { "Sec-WebSocket-Protocol": undefined }, "400 request.malformed"],
    ["another subprotocol", { "Sec-WebSocket-Protocol": "planted.2" }, "400 request.malformed"],
    ["a subprotocol twice", { "Sec-WebSocket-Protocol": "planted.1, planted.1" }, "400 request.malformed"],
    ["commas", { "Sec-WebSocket-Protocol": `planted.1${",".repeat(5_000)}` }, "400 request.malformed"],
    ["no Connection", { Connection: undefined }, "426 request.upgrade_required"],
    ["another protocol", { Upgrade: "h2c" }, "426 request.upgrade_required"],
  ];

  test("is refused with a problem, and the log has its path and the client's address", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startServer({
      config: { accessLog: true, trustProxy: true },
      parts: { moreSockets: [planted.row] },
    });
    for (const [what, other, expected] of refused) {
      const answer = await tryHandshake(
        server.port,
        handshake(agentSpec.path, { "X-Forwarded-For": "198.51.100.7", ...other }),
      );
      expect([what, said(answer)]).toEqual([what, expected]);
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    const lines = server.logLines.filter((line) => line.includes(` path=${agentSpec.path} `));
    expect(lines.filter((line) => line.includes("address=198.51.100.7"))).toHaveLength(refused.length);
    expect(planted.opened).toEqual([]);
  });

  test("must have no query, because nothing secret belongs there", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startPlanted(planted);
    expect(said(await tryHandshake(server.port, handshake(`${agentSpec.path}?a=b`)))).toBe("400 request.malformed");
    expect(planted.opened).toEqual([]);
  });

  test("may offer other subprotocols beside the one that is spoken, and extensions, which are not", async () => {
    const server = await startPlanted(plantedSocket(agentSpec));
    const other = {
      "Sec-WebSocket-Protocol": "planted.2, planted.1",
      "Sec-WebSocket-Extensions": "permessage-deflate",
    };
    const answer = await tryHandshake(server.port, handshake(agentSpec.path, other));
    expect([answer.status, answer.headers.get("sec-websocket-protocol")]).toEqual([101, "planted.1"]);
    expect(answer.headers.has("sec-websocket-extensions")).toBe(false);
  });

  test("that is a plain one is told what the path takes, and another method that it is not taken", async () => {
    const server = await startPlanted(plantedSocket(agentSpec));
    const plain = await server.get(agentSpec.path);
    expect([plain.status, plain.headers.get("upgrade")]).toEqual([426, "websocket"]);
    const posted = await server.get(agentSpec.path, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
  });

  test("behind a request that is still worked on waits for its answer, and is refused", async () => {
    let release: () => void = () => undefined;
    const waiting = new Promise<string>((resolve) => {
      release = () => resolve("first");
    });
    const slow = route(
      {
        method: "GET",
        path: "/api/slow",
        summary: "",
        access: { kind: "public", because: "test" },
        responses: { 200: z.string() },
      },
      () => waiting,
    );
    const planted = plantedSocket(agentSpec);
    const server = await startServer({ parts: { moreRoutes: [slow], moreSockets: [planted.row] } });
    const first = "GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answers = server.raw(first + handshake(agentSpec.path), 2);
    await server.get("/api/health");
    release();
    expect((await answers).map(({ status, body }) => [status, body.slice(0, 7)])).toEqual([
      [200, '"first"'],
      [400, '{"type"'],
    ]);
    expect(planted.opened).toEqual([]);
  });

  test("may come over a connection whose earlier requests are answered", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startPlanted(planted);
    const { socket, status } = await tryHandshake(server.port, "GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(status).toBe(200);
    const upgraded = new Promise<string>((resolve) => {
      socket.on("data", (chunk) => resolve(String(chunk)));
    });
    socket.write(handshake(agentSpec.path));
    expect(await upgraded).toContain("HTTP/1.1 101 Switching Protocols");
    expect(planted.opened).toHaveLength(1);
  });

  test("is not limited by the rate of its address, which a whole fleet may share", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startServer({
      config: { apiRate: { perSecond: 0.001, burst: 1 } },
      parts: { moreSockets: [planted.row] },
    });
    for (let n = 0; n < 20; n += 1) await echoed(await openAgent(server.port), "hello");
    expect((await server.get("/api/version")).status).toBe(200);
    expect((await server.get("/api/version")).status).toBe(429);
    expect(await echoed(await openAgent(server.port), "hello")).toBe("hello");
  });
});

describe("stopping with open sockets", () => {
  test("closes hundreds with 1012 and does not wait for one that answers nothing", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startPlanted(planted);
    const clients: WebSocket[] = [];
    for (let n = 0; n < 300; n += 1) {
      const client = await openAgent(server.port);
      await echoed(client, "hello");
      clients.push(client);
    }
    // Two that do not answer: one says nothing on its socket, the other reads nothing of what waits for it.
    const mute = await tryHandshake(server.port, handshake(agentSpec.path));
    const stalled = await openAgent(server.port);
    stalled.pause();
    planted.opened.at(-1)?.send(Buffer.alloc(edgeLimits.socketQueueBytes / 2));
    const codes = Promise.all(clients.map(codeAtEnd));
    const closed = new Promise((resolve) => {
      mute.socket.once("close", resolve);
    });
    await server.stop(2 ** 31 - 1);
    expect(new Set(await codes)).toEqual(new Set([1_012]));
    await closed;
    await expect.poll(() => planted.ends).toHaveLength(302);
  });

  test("cuts them at the deadline when that is earlier, and those that are still judged too", async () => {
    const planted = plantedSocket(agentSpec, { admit: () => new Promise(() => undefined) });
    const server = await startPlanted(planted, plantedSocket({ ...agentSpec, path: "/api/planted/other" }));
    const judged = connect(server.port, "127.0.0.1");
    judged.on("error", () => undefined);
    const closed = new Promise((resolve) => {
      judged.once("close", resolve);
    });
    judged.write(handshake(agentSpec.path));
    await tryHandshake(server.port, handshake("/api/planted/other"));
    await server.stop(1);
    await closed;
    expect(planted.opened).toEqual([]);
  });
});
