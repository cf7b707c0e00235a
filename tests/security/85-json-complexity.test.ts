import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as z from "zod";
import { spyRoute, startPlanted } from "./inside/planted-server.ts";
import { StepCounts } from "./support/count-steps.ts";
import { hard } from "./support/hard-json.ts";
import { newClient } from "./support/new-client.ts";
import { requestBytes, send, sendRaw } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Vault, OpenBao, Rancher: a megabyte of brackets or keys, and the server was busy or gone. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
/** One look at each character takes a few steps; the most is for a text of nothing but commas and digits. */
const stepsPerCharacter = 16;

test("the strict reader takes so many steps for a character, and for no text more", async (context) => {
  await using counts = new StepCounts();
  let most = 0;
  for (const [name, make] of Object.entries(hard)) {
    const text = make();
    const { steps } = await counts.of("read JSON", text);
    expect(steps / text.length, name).toBeLessThan(stepsPerCharacter);
    most = Math.max(most, steps);
  }
  tried(context, `${count(Object.keys(hard).length, "hard texts")}, at the most ${count(most, "steps")}`);
});

test("the count of steps sees a reader that is quadratic", async () => {
  await using counts = new StepCounts();
  const text = `{${Array.from({ length: 2_000 }, (_, n) => `"k${n}":0`).join()}}`;
  expect((await counts.of("read JSON carelessly", text)).steps / text.length).toBeGreaterThan(stepsPerCharacter);
  expect((await counts.of("read JSON", text)).steps / text.length).toBeLessThan(stepsPerCharacter);
});

test("a route that takes a megabyte refuses or reads each of them, and others are answered behind it", async (context) => {
  const spec = {
    method: "POST",
    path: "/api/planted/json",
    summary: "x",
    access: { kind: "public", because: "a test" },
    body: z.record(z.string(), z.unknown()),
    responses: { 204: null },
  } as const;
  const route = spyRoute(spec);
  let slowest = 0;
  await using planted = await startPlanted({ routes: [route], env: { SERVICE_TRUST_PROXY: "1" } });
  for (const [name, make] of Object.entries(hard)) {
    // Each from an address of its own: what is read for one has a budget.
    const headers = [newClient(), ["Content-Type", "application/json"]] as const;
    const body = make().slice(0, 1_048_576);
    const { status, ms } = await send(planted.port, { method: "POST", path: spec.path, headers, body });
    expect([204, 400, 413], name).toContain(status);
    slowest = Math.max(slowest, ms);
    expect((await send(planted.port, { path: "/api/health" })).status, name).toBe(200);
  }
  tried(context, `through a planted route, slowest ${slowest.toFixed(0)} ms`);
});

test("a body of 50 MiB is refused without being read, with a length or without", async (context) => {
  const size = 50 * 1024 * 1024;
  const before = await costOf(server.pid);
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
  }
  expect(announced.status).toBe(413);
  expect([405, 0]).toContain(unread.status);
  expect((await send(server.port, { path: "/api/health" })).status).toBe(200);
  const after = await costOf(server.pid);
  // Of 200 MiB. What is in flight when the refusal is given may still be taken from the sockets.
  expect(after.readMiB - before.readMiB).toBeLessThan(32);
  expect(after.heldMiB - before.heldMiB).toBeLessThan(64);
  tried(context, `four bodies of 50 MiB, ${(after.readMiB - before.readMiB).toFixed(1)} MiB of them read`);
});

/** What a process has read in all, and the memory that it holds. */
async function costOf(pid: number): Promise<{ readonly readMiB: number; readonly heldMiB: number }> {
  const find = async (file: string, pattern: RegExp) =>
    Number(pattern.exec(await readFile(`/proc/${pid}/${file}`, "utf8"))?.[1]);
  return {
    readMiB: (await find("io", /^rchar: (\d+)/m)) / 1024 ** 2,
    heldMiB: (await find("status", /^VmRSS:\s+(\d+)/m)) / 1024,
  };
}
