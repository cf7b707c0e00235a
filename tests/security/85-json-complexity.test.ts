import { readFile } from "node:fs/promises";
import { parseStrictJson } from "@gatehouse/base";
import { expect, test } from "vitest";
import * as z from "zod";
import { spyRoute, startPlanted } from "./inside/planted-server.ts";
import { newClient } from "./support/new-client.ts";
import { requestBytes, send, sendRaw } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Vault, OpenBao, Rancher: a megabyte of brackets or keys, and the server was busy or gone. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const million = 1_000_000;

/** Texts of about a megabyte and more, each hard in its own way. */
const hard: Readonly<Record<string, () => string>> = {
  "depth 1e6": () => "[".repeat(million),
  "depth 1e6, closed": () => "[".repeat(million) + "]".repeat(million),
  "objects nested 1e5 times": () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
  "1e6 keys": () => `{${Array.from({ length: million }, (_, n) => `"${n}":0`).join()}}`,
  "1e6 equal keys": () => `{${'"a":0,'.repeat(million)}"a":0}`,
  "1e6 items": () => `[${"0,".repeat(million)}0]`,
  "1e6 empty objects": () => `[${"{},".repeat(million)}{}]`,
  "keys that are numbers, backwards": () =>
    `{${Array.from({ length: 9_000 }, (_, n) => `"${4_294_967_000 - n}":0`).join()}}`,
  "a string of escapes": () => `"${"\\u0041".repeat(400_000)}"`,
  "a string of pairs": () => `"${"\\ud83d\\ude00".repeat(200_000)}"`,
  "a long number": () => "1".repeat(million),
  "a long fraction": () => `0.${"1".repeat(million)}`,
  "a long exponent": () => `1e${"9".repeat(million)}`,
  "a long blank": () => `${" ".repeat(2 * million)}x`,
  "blanks between": () => `[${`1${" ".repeat(1_000)},`.repeat(1_000)}1]`,
  "a string without end": () => `"${"a".repeat(2 * million)}`,
  backslashes: () => `"${"\\\\".repeat(million)}`,
};

test("the strict reader is done with every hard text at once", (context) => {
  let slowest = 0;
  for (const [name, make] of Object.entries(hard)) {
    const text = make();
    const started = process.cpuUsage();
    parseStrictJson(text);
    const ms = process.cpuUsage(started).user / 1_000;
    slowest = Math.max(slowest, ms);
    expect(ms, name).toBeLessThan(1_000);
  }
  tried(context, `${count(Object.keys(hard).length, "hard texts")}, slowest ${slowest.toFixed(0)} ms`);
});

test("a route that takes a megabyte refuses or reads each of them within a second", async (context) => {
  const spec = {
    method: "POST",
    path: "/api/planted/json",
    summary: "x",
    access: { kind: "public", because: "a test" },
    body: z.record(z.string(), z.unknown()),
    responses: { 204: null },
  } as const;
  const route = spyRoute(spec);
  await using planted = await startPlanted({ routes: [route] });
  let slowest = 0;
  for (const [name, make] of Object.entries(hard)) {
    const body = make().slice(0, 1_048_576);
    const headers = [["Content-Type", "application/json"]] as const;
    // The quicker of two: other programs may use the machine as well.
    const request = { method: "POST", path: spec.path, headers, body };
    const [first, second] = [await send(planted.port, request), await send(planted.port, request)];
    expect([204, 400, 413], name).toContain(first.status);
    const ms = Math.min(first.ms, second.ms);
    expect(ms, name).toBeLessThan(1_000);
    slowest = Math.max(slowest, ms);
  }
  tried(context, `through a planted route, slowest ${slowest.toFixed(0)} ms`);
});

test("a body of 50 MiB is refused without being read, with a length or without", async (context) => {
  const size = 50 * 1024 * 1024;
  const before = await rssOf(server.pid);
  const head = { method: "POST", path: "/api/csp-reports" } as const;
  const type = ["Content-Type", "application/json"] as const;
  const announced = await send(server.port, {
    ...head,
    headers: [newClient(), type, ["Content-Length", String(size)]],
    body: "{",
  });
  const whole = await send(server.port, { ...head, headers: [newClient(), type], body: Buffer.alloc(size, "[") });
  const piece = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, "["), Buffer.from("\r\n")]);
  const start = requestBytes(server.port, { ...head, headers: [newClient(), type, ["Transfer-Encoding", "chunked"]] });
  const chunked = await sendRaw(server.port, Buffer.concat([start, ...Array.from({ length: 800 }, () => piece)]));
  const unread = await send(server.port, { path: "/", method: "POST", body: Buffer.alloc(size) });
  for (const [name, answer] of Object.entries({ announced, whole, chunked })) {
    // A client that goes on writing may miss the answer, because the connection is closed under it.
    expect([413, 0], name).toContain(answer.status);
    expect(answer.ms, name).toBeLessThan(1_000);
  }
  expect(announced.status).toBe(413);
  expect([405, 0]).toContain(unread.status);
  expect((await send(server.port, { path: "/api/health" })).status).toBe(200);
  const grown = ((await rssOf(server.pid)) - before) / 1024;
  expect(grown).toBeLessThan(64);
  tried(context, `four bodies of 50 MiB, memory grew by ${Math.max(0, grown).toFixed(0)} MiB`);
});

test("the measure of time sees a reader that is quadratic", () => {
  // Looks for the key again in all earlier ones, as a careless check for doubles does.
  const careless = (keys: readonly string[]) =>
    keys.every((key, at) => keys.lastIndexOf(key, at - 1) === -1 || at === 0);
  const keys = Array.from({ length: 9_999 }, (_, n) => `k${n}`);
  const started = performance.now();
  careless(keys);
  const took = performance.now() - started;
  const startedStrict = performance.now();
  parseStrictJson(`{${keys.map((key) => `"${key}":0`).join()}}`);
  expect(took).toBeGreaterThan(performance.now() - startedStrict);
});

/** KiB of memory that a process holds. */
async function rssOf(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]);
}
