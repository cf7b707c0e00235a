import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { route } from "../src/platform/route/index.ts";
import { bearer, startServer, testIdentity } from "./start-server.ts";

/** The longest deadline a timer can have: a stop that waits for it does not end, and neither does its test. */
const never = 2 ** 31 - 1;

/** A route that answers when it is told to. */
function slowRoute() {
  let release: () => void = () => undefined;
  let isEntered: () => void = () => undefined;
  const entered = new Promise<void>((resolve) => {
    isEntered = resolve;
  });
  const row = route(
    {
      method: "GET",
      path: "/api/slow",
      summary: "",
      access: { kind: "public", because: "test" },
      responses: { 200: z.string() },
    },
    () => {
      isEntered();
      return new Promise<string>((resolve) => {
        release = () => resolve("done");
      });
    },
  );
  return { row, entered, release: () => release() };
}

describe("stopping", () => {
  test("lets a request under way finish, and asks its client to close", async () => {
    const slow = slowRoute();
    const server = await startServer({ parts: { moreRoutes: [slow.row] } });
    const answer = server.get("/api/slow");
    await slow.entered;
    const stopped = server.stop(never);
    slow.release();
    const { headers, status } = await answer;
    expect([status, headers.get("connection")]).toEqual([200, "close"]);
    await stopped;
    await expect(server.get("/api/health")).rejects.toThrow();
  });

  test("answers a request whose head was under way, and says that it is not ready", async () => {
    const slow = slowRoute();
    const server = await startServer({ parts: { moreRoutes: [slow.row] } });
    let text = "";
    const socket = connect(server.port, "127.0.0.1");
    const closed = new Promise((resolve) => {
      socket.on("close", resolve);
    });
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.write("GET /api/ready HTTP/1.1\r\nHost: local");
    const answer = server.get("/api/slow");
    await slow.entered;
    const stopped = server.stop(never);
    socket.write("host\r\n\r\n");
    await closed;
    expect(text).toContain("HTTP/1.1 503");
    expect(text).toContain('"code":"server.stopping"');
    slow.release();
    expect((await answer).status).toBe(200);
    await stopped;
  });

  test("cuts what does not finish by the deadline", async () => {
    const slow = slowRoute();
    const server = await startServer({ parts: { moreRoutes: [slow.row] } });
    const answer = server.get("/api/slow").catch((error: unknown) => error);
    await slow.entered;
    await server.stop(50);
    expect(await answer).toBeInstanceOf(Error);
  });

  test("does not wait for connections that ask nothing", async () => {
    const server = await startServer();
    const silent = connect(server.port, "127.0.0.1");
    await new Promise((resolve) => {
      silent.once("connect", resolve);
    });
    let heard = "";
    silent.on("data", (chunk) => {
      heard += String(chunk);
    });
    const closed = new Promise((resolve) => {
      silent.once("close", resolve);
    });
    await server.get("/api/health");
    await server.stop(never);
    await closed;
    // One that is waited for is told in the end that its time is over.
    expect(heard).toBe("");
  });

  test("ends event streams and closes the store last", async () => {
    const { parts } = testIdentity({ viewer: ["node:read"] });
    const server = await startServer({ parts });
    const answer = await server.get("/api/events", bearer("viewer"));
    await server.stop(never);
    expect(await answer.text()).toContain("retry: ");
    const late = inventedEntry({ at: 1, actor: "system", action: "test.late", subject: "test/1" });
    await expect(server.store.commit(late)).rejects.toMatchObject({ code: "store.closed" });
  });
});
