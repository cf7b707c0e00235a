import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { fault, isFault } from "@gatehouse/contract";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { type BodyStream, route } from "../src/platform/route/index.ts";
import { readAnswers } from "./raw-answer.ts";
import { startServer, testIdentity } from "./start-server.ts";

const mediaType = "application/octet-stream";
const most = 4 * 1024 * 1024;
const path = "/api/planted/upload";

afterEach(() => void vi.useRealTimers());

interface Read {
  bytes: number;
  pieces: number;
  error: unknown;
}

/** A row whose handler reads all of the body, unless the test brings another. */
async function startUpload(handle?: (body: BodyStream) => Promise<{ sha256: string }>) {
  const reads: Read[] = [];
  const readAll = async (body: BodyStream) => {
    const read: Read = { bytes: 0, pieces: 0, error: undefined };
    reads.push(read);
    const hash = createHash("sha256");
    try {
      for await (const piece of body) {
        read.bytes += piece.byteLength;
        read.pieces += 1;
        hash.update(piece);
      }
    } catch (error) {
      read.error = error;
      throw error;
    }
    return { sha256: hash.digest("hex") };
  };
  const row = route(
    {
      method: "PUT",
      path,
      summary: "",
      access: { kind: "scope", scope: "plan:create", nodes: "every" },
      query: z.strictObject({ dry: z.literal("1").optional() }),
      bodyStream: { mediaType, most },
      responses: { 200: z.strictObject({ sha256: z.string() }) },
    },
    ({ bodyStream }) => (handle ?? readAll)(bodyStream),
  );
  const { parts } = testIdentity({ good: ["plan:create"], weak: ["node:read"] });
  const server = await startServer({ parts: { ...parts, moreRoutes: [row] } });
  return { server, reads };
}

function headOf(more: readonly string[], { to = path, token = "good", type = mediaType } = {}): string {
  const lines = [`PUT ${to} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${token}`, `Content-Type: ${type}`];
  return `${[...lines, ...more].join("\r\n")}\r\n\r\n`;
}

const health = "GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** One connection that the test writes to piece by piece. */
function open(port: number) {
  const socket: Socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let received = Buffer.alloc(0);
  const state = { closed: false };
  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    state.closed = true;
  });
  return {
    socket,
    state,
    answers: () => readAnswers(received).map(({ status }) => status),
    text: () => String(received),
  };
}

async function told(answer: Response): Promise<unknown> {
  const body = (await answer.json()) as { code?: string };
  return [answer.status, body.code ?? body];
}

const put = (server: { url: string }, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: "PUT",
    headers: { Authorization: "Bearer good", "Content-Type": mediaType, ...headers },
    body,
  });

describe("a body that is a stream", () => {
  test("reaches the handler in pieces, whole, with its length", async () => {
    const bytes = Buffer.alloc(most, "gatehouse");
    const { server, reads } = await startUpload();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(await told(await put(server, bytes))).toEqual([200, { sha256 }]);
    expect(reads).toMatchObject([{ bytes: most, error: undefined }]);
    expect(reads[0]?.pieces).toBeGreaterThan(8);
  });

  test("is refused by what its headers say, and no handler runs", async () => {
    const { server, reads } = await startUpload();
    const refused = async (head: string, body = "") => {
      const [answer] = await server.raw(head + body);
      return [answer?.status, answer?.json()["code"]];
    };
    const malformed = [400, "request.malformed"];
    const unsupported = [415, "request.unsupported_media_type"];
    expect(await refused(headOf([`Content-Length: ${most + 1}`]))).toEqual([413, "request.body_too_large"]);
    expect(await refused(headOf([]))).toEqual(malformed);
    expect(await refused(headOf(["Content-Length: 0"]))).toEqual(malformed);
    expect(await refused(headOf(["Transfer-Encoding: chunked"]), "1\r\nx\r\n0\r\n\r\n")).toEqual(malformed);
    expect(await refused(headOf(["Content-Length: 1", "Transfer-Encoding: chunked"]), "1\r\nx\r\n0\r\n\r\n")).toEqual(
      malformed,
    );
    expect(await refused(headOf(["Content-Length: 1"], { type: "application/json" }), "x")).toEqual(unsupported);
    expect(await refused(headOf(["Content-Length: 1"], { type: `${mediaType}; charset=utf-8` }), "x")).toEqual(
      unsupported,
    );
    expect(await refused(headOf(["Content-Length: 1", "Content-Encoding: gzip"]), "x")).toEqual(unsupported);
    expect(await refused(headOf(["Content-Length: 1"], { token: "weak" }), "x")).toEqual([403, "auth.scope_missing"]);
    expect(await refused(headOf(["Content-Length: 1"], { to: `${path}?more=1` }), "x")).toEqual(malformed);
    expect(reads).toEqual([]);
  });

  test("that is longer than it says ends where it said, and the rest is no request", async () => {
    const { server, reads } = await startUpload();
    const answers = await server.raw(`${headOf(["Content-Length: 5"])}helloworld\r\n\r\n`, 2);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect(reads).toMatchObject([{ bytes: 5, error: undefined }]);
  });

  test("that is shorter than it says, or whose sender leaves, breaks the reading", async () => {
    for (const leave of ["end", "destroy"] as const) {
      const { server, reads } = await startUpload();
      const { socket, state, text } = open(server.port);
      socket.write(`${headOf(["Content-Length: 10"])}hello`);
      await expect.poll(() => reads[0]?.bytes).toBe(5);
      socket[leave]();
      await expect.poll(() => isFault(reads[0]?.error, "request.malformed")).toBe(true);
      await expect.poll(() => state.closed).toBe(true);
      if (leave === "end") expect(text()).toMatch(/^HTTP\/1\.1 400 /);
      expect(server.logLines.join("")).not.toContain("request failed");
    }
  });

  test("is not read further than the handler asks", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { server } = await startUpload(async (body) => {
      let read = 0;
      for await (const piece of body) {
        read += piece.byteLength;
        await promise;
      }
      return { sha256: String(read) };
    });
    const { socket, answers } = open(server.port);
    socket.write(headOf([`Content-Length: ${most}`]));
    socket.write(Buffer.alloc(most));
    // What kernels hold for a reader is little beside the body; and what is not read stays with the sender.
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    await server.get("/api/health");
    resolve();
    await expect.poll(answers).toEqual([200]);
    expect(socket.writableLength).toBe(0);
  });

  test("that the handler refuses at once is answered, read away, and leaves its connection usable", async () => {
    const { server } = await startUpload((body) => {
      throw fault("request.key_reused", `not these ${body.length} bytes`);
    });
    const { socket, answers } = open(server.port);
    socket.write(headOf([`Content-Length: ${most}`]));
    await expect.poll(answers).toEqual([409]);
    socket.write(Buffer.alloc(most));
    socket.write(health);
    await expect.poll(answers).toEqual([409, 200]);
  });

  test("that the handler refuses half way is the same", async () => {
    const { server } = await startUpload(async (body) => {
      for await (const piece of body) {
        if (piece.byteLength > 0) throw fault("request.key_reused", "seen enough");
      }
      return { sha256: "" };
    });
    const { socket, answers, state } = open(server.port);
    socket.write(headOf([`Content-Length: ${most}`]));
    socket.write(Buffer.alloc(most));
    socket.write(health);
    await expect.poll(answers).toEqual([409, 200]);
    expect(state.closed).toBe(false);
  });

  test("can be read once, and a defect of the handler says nothing", async () => {
    const { server } = await startUpload(async (body) => {
      for await (const _piece of body);
      for await (const _piece of body);
      return { sha256: "" };
    });
    expect(await told(await put(server, Buffer.alloc(10)))).toEqual([500, "server.internal"]);
    expect(server.logLines.join("")).toContain("a body was read a second time");
  });

  test("that stops moving is told so, and its connection ends", async () => {
    const { server, reads } = await startUpload();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { socket, state, text } = open(server.port);
    socket.write(`${headOf(["Content-Length: 10"])}hel`);
    const reading = async (bytes: number) => {
      while (reads[0]?.bytes !== bytes) await new Promise(setImmediate);
    };
    await reading(3);
    // Each piece begins the wait anew.
    await vi.advanceTimersByTimeAsync(29_000);
    socket.write("lo");
    await reading(5);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(text()).toBe("");
    await vi.advanceTimersByTimeAsync(2_000);
    while (!state.closed) await new Promise(setImmediate);
    expect(text()).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request.timeout"/);
    expect(text()).toContain("Connection: close");
    expect(isFault(reads[0]?.error, "request.malformed")).toBe(true);
  });

  test("that was refused and does not come is not waited for longer than any other body", async () => {
    const { server } = await startUpload(() => {
      throw fault("request.key_reused", "no");
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { socket, state, answers } = open(server.port);
    socket.write(headOf(["Content-Length: 10"]));
    while (answers().length === 0) await new Promise(setImmediate);
    expect(state.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(30_000);
    while (!state.closed) await new Promise(setImmediate);
    expect(answers()).toEqual([409]);
  });
});

test("a body that is read whole still has to be there in time, and does not profit from the time of streams", async () => {
  const row = route(
    {
      method: "POST",
      path: "/api/planted/form",
      summary: "",
      access: { kind: "public", because: "test" },
      body: z.strictObject({}),
      responses: { 204: null },
    },
    () => undefined,
  );
  const server = await startServer({ parts: { moreRoutes: [row] } });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { socket, state, text } = open(server.port);
  const begun = new Promise((resolve) => {
    socket.once("data", resolve);
  });
  // The interim answer says that the head was read.
  socket.write(
    "POST /api/planted/form HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n{",
  );
  await begun;
  await vi.advanceTimersByTimeAsync(30_000);
  while (!state.closed) await new Promise(setImmediate);
  expect(text()).toContain("HTTP/1.1 408 ");
});
