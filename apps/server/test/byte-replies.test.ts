import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ByteReply, route } from "../src/platform/route/index.ts";
import { startServer } from "./start-server.ts";

/** A source that counts what was asked of it and says when it was closed. */
function plantedSource(pieces: () => AsyncGenerator<Uint8Array>) {
  const seen = { opened: 0, given: 0, closed: 0 };
  let isClosed: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve;
  });
  async function* open(): AsyncGenerator<Uint8Array> {
    seen.opened += 1;
    try {
      for await (const piece of pieces()) {
        seen.given += piece.byteLength;
        yield piece;
      }
    } finally {
      seen.closed += 1;
      isClosed();
    }
  }
  return { seen, open, closed };
}

async function* repeat(piece: Uint8Array, times: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < times; n += 1) yield Promise.resolve(piece);
}

const spec = {
  method: "GET",
  path: "/api/planted/download",
  summary: "",
  access: { kind: "public", because: "a test" },
  responses: { 200: { mediaType: "application/gzip" } },
} as const;

async function serve(length: number, open: () => AsyncIterable<Uint8Array>) {
  const reply = () => new ByteReply({ mediaType: "application/gzip", length, headers: { ETag: '"abc"' }, open });
  return startServer({ config: { accessLog: true }, parts: { moreRoutes: [route(spec, reply)] } });
}

const mebibyte = Buffer.alloc(1024 * 1024, "gatehouse");

/** A client that asks and reads nothing. */
function askAndWait(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(`GET ${spec.path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

describe("an answer that is read piece by piece", () => {
  test("arrives whole, with its length, and its source is closed", async () => {
    const { seen, open } = plantedSource(() => repeat(mebibyte, 20));
    const server = await serve(20 * mebibyte.length, open);
    const answer = await server.get(spec.path);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/gzip",
      "content-length": String(20 * mebibyte.length),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      etag: '"abc"',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(Buffer.concat(Array.from({ length: 20 }, () => mebibyte)))).toBe(true);
    await expect.poll(() => seen).toEqual({ opened: 1, given: 20 * mebibyte.length, closed: 1 });
    await expect.poll(() => server.logLines.join("")).toContain(`bytes=${20 * mebibyte.length}`);
  });

  test("sends its head alone for HEAD, and opens nothing", async () => {
    const { seen, open } = plantedSource(() => repeat(mebibyte, 1));
    const server = await serve(mebibyte.length, open);
    const answer = await server.get(spec.path, { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-length")]).toEqual([200, String(mebibyte.length)]);
    expect(seen.opened).toBe(0);
  });

  test("of no bytes is an answer", async () => {
    const { open } = plantedSource(() => repeat(mebibyte, 0));
    const server = await serve(0, open);
    const answer = await server.get(spec.path);
    expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([200, "0", ""]);
  });

  test("is read no further than the client takes it, and closed when the client leaves", async () => {
    const { seen, open, closed } = plantedSource(() => repeat(mebibyte, 1_000));
    const server = await serve(1_000 * mebibyte.length, open);
    const socket = askAndWait(server.port);
    // What the kernel holds for a reader is little beside what there is; and once it is full, nothing more is read.
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = seen.given > 0 && seen.given === before;
          before = seen.given;
          return isStill;
        },
        { interval: 200 },
      )
      .toBe(true);
    expect(seen.given).toBeLessThan(100 * mebibyte.length);
    expect((await server.get("/api/health")).status).toBe(200);
    socket.destroy();
    await closed;
    expect(seen.given).toBeLessThan(100 * mebibyte.length);
  });

  test("that cannot be opened is a problem, and what fails later cuts the connection", async () => {
    const broken = plantedSource(async function* () {
      yield* repeat(mebibyte, 0);
      throw new Error("the disk is gone");
    });
    const server = await serve(5, broken.open);
    const answer = await server.get(spec.path);
    expect([answer.status, await answer.json()]).toEqual([500, expect.objectContaining({ code: "server.internal" })]);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(server.logLines.join("")).toContain("the disk is gone");

    const later = plantedSource(async function* () {
      yield* repeat(mebibyte, 3);
      throw new Error("the disk went away");
    });
    const other = await serve(5 * mebibyte.length, later.open);
    const half = await other.get(spec.path);
    expect(half.status).toBe(200);
    await expect(half.arrayBuffer()).rejects.toThrow();
    expect(other.logLines.join("")).toContain("the disk went away");
    await later.closed;
  });

  test("is cut where its source gives another number of bytes than was promised", async () => {
    for (const [promised, pieces] of [
      [3 * mebibyte.length + 1, 3],
      [3 * mebibyte.length - 1, 3],
    ] as const) {
      const { open, closed } = plantedSource(() => repeat(mebibyte, pieces));
      const server = await serve(promised, open);
      const answer = await server.get(spec.path);
      await expect(answer.arrayBuffer()).rejects.toThrow();
      await closed;
      expect(server.logLines.join("")).toContain("a source of");
    }
  });

  test("behind another answer of its connection is refused", async () => {
    let release: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { seen, open } = plantedSource(() => repeat(mebibyte, 1));
    const slow = route({ ...spec, path: "/api/planted/slow", responses: { 204: null } }, async () => {
      await waiting;
      return undefined;
    });
    const download = route(spec, () => new ByteReply({ mediaType: "application/gzip", length: 5, open }));
    const server = await startServer({ parts: { moreRoutes: [slow, download] } });
    const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const answers = server.raw(ask("/api/planted/slow") + ask(spec.path), 2);
    await server.get("/api/health");
    release();
    expect((await answers).map(({ status }) => status)).toEqual([204, 400]);
    expect(seen.opened).toBe(0);
  });

  test("that is under way when the server stops is cut at the deadline, and its source closed", async () => {
    const { seen, open, closed } = plantedSource(() => repeat(mebibyte, 1_000));
    const server = await serve(1_000 * mebibyte.length, open);
    askAndWait(server.port);
    await expect.poll(() => seen.given).toBeGreaterThan(0);
    await server.stop(50);
    await closed;
  });
});
