import { connect } from "node:net";
import { manualClock } from "@gatehouse/base";
import { describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { edgeLimits } from "../src/edge/limits.ts";
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

describe("agents that have not said who they are", () => {
  test("cannot knock for ever from one address; one good hello among them clears it, and others are not met", async () => {
    const planted = plantedSocket(agentSpec);
    const clock = manualClock();
    const server = await startServer({ config: { trustProxy: true }, parts: { clock, moreSockets: [planted.row] } });
    const knock = async (address: string, isGood: boolean) => {
      const answer = await tryHandshake(server.port, handshake(agentSpec.path, { "X-Forwarded-For": address }));
      if (isGood) planted.opened.at(-1)?.admitted();
      if (answer.status === 101) planted.opened.at(-1)?.cut();
      return answer;
    };
    const { burst, perSecond } = edgeLimits.helloRate;
    for (let n = 0; n < burst; n += 1) expect((await knock("203.0.113.7", false)).status).toBe(101);
    const refused = await knock("203.0.113.7", false);
    expect([said(refused), refused.headers.get("retry-after")]).toEqual(["429 request.rate_limited", "1"]);
    expect((await knock("198.51.100.7", false)).status).toBe(101);
    clock.advance(Math.ceil(1_000 / perSecond));
    expect((await knock("203.0.113.7", true)).status).toBe(101);
    for (let n = 0; n < burst; n += 1) expect((await knock("203.0.113.7", false)).status).toBe(101);
    expect((await knock("203.0.113.7", false)).status).toBe(429);
  });

  test("are so many at once and no more; one that is admitted or leaves makes room", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startPlanted(planted);
    const silent = await Promise.all(Array.from({ length: edgeLimits.hellosInFlight }, () => openAgent(server.port)));
    const refusal = await tryHandshake(server.port, handshake(agentSpec.path));
    expect([said(refusal), refusal.headers.get("retry-after")]).toEqual(["429 socket.no_room", "10"]);
    const [first, second] = silent;
    if (first === undefined || second === undefined) throw new Error("nobody connected");
    await echoed(first, "hello");
    await openAgent(server.port);
    expect(said(await tryHandshake(server.port, handshake(agentSpec.path)))).toBe("429 socket.no_room");
    second.close();
    await codeAtEnd(second);
    await expect.poll(() => planted.ends).toHaveLength(1);
    await openAgent(server.port);
    expect(server.logLines.filter((line) => line.includes(" error "))).toEqual([]);
  });

  test("give a place up to an address that has fewer, so that one stranger keeps nobody out", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startServer({ config: { trustProxy: true }, parts: { moreSockets: [planted.row] } });
    const of = (address: string) => openAgent(server.port, { headers: { "X-Forwarded-For": address } });
    const stranger: WebSocket[] = [];
    while (stranger.length < edgeLimits.hellosInFlight) stranger.push(await of("203.0.113.7"));
    const ended = codeAtEnd(stranger[0] as WebSocket);
    expect(await echoed(await of("198.51.100.7"), "hello")).toBe("hello");
    expect(await ended).toBe(1_006);
    expect(stranger.filter(({ readyState }) => readyState === WebSocket.OPEN)).toHaveLength(stranger.length - 1);
  });

  test("are closed when their time is up, and one that was admitted stays", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const planted = plantedSocket(agentSpec);
      const server = await startPlanted(planted);
      const [silent, known] = [await openAgent(server.port), await openAgent(server.port)];
      await echoed(known, "hello");
      vi.advanceTimersByTime(edgeLimits.helloMs);
      expect(await codeAtEnd(silent)).toBe(1_008);
      expect(await echoed(known, "still there")).toBe("still there");
      await server.stop(1_000);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("the connections that there may be", () => {
  test("are kept in part for people, however many agents there are", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startServer({ maxConnections: 40, parts: { moreSockets: [planted.row] } });
    const agents: WebSocket[] = [];
    for (let n = 0; n < 20; n += 1) {
      const agent = await openAgent(server.port);
      await echoed(agent, "hello");
      agents.push(agent);
    }
    expect(said(await tryHandshake(server.port, handshake(agentSpec.path)))).toBe("429 socket.no_room");
    expect((await server.get("/api/health")).status).toBe(200);
    agents[0]?.close();
    await expect.poll(() => planted.ends).toHaveLength(1);
    await openAgent(server.port);
  });

  test("are not counted for an address once an agent has proved itself: a fleet may stand behind one", async () => {
    const planted = plantedSocket(agentSpec);
    const server = await startServer({ maxConnections: 40, parts: { moreSockets: [planted.row] } });
    // A quarter is ten; twenty agents of one address get in, one after another.
    for (let n = 0; n < 20; n += 1) await echoed(await openAgent(server.port), "hello");
    expect(planted.opened).toHaveLength(20);
    // Those that prove nothing are still the address's own: with ten of them no other connection gets in.
    const silent = Array.from({ length: 11 }, () => connect(server.port, "127.0.0.1"));
    const closed = await Promise.race(silent.map((one) => new Promise((resolve) => one.once("close", resolve))));
    expect(closed).toBe(false);
    for (const one of silent) one.destroy();
  });
});
