import { expect, onTestFinished, test, vi } from "vitest";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { bearer, startServer, testIdentity } from "./start-server.ts";

const plugin = "plugin/netguard";
const entry = inventedEntry({ at: 1_700_000_000_000, actor: "system", action: "plugin.installed", subject: plugin });

/** Reads a stream until its text satisfies, or to its end. */
async function readUntil(answer: Response, isEnough: (text: string) => boolean = () => false): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (isEnough(text)) break;
  }
  return text;
}

async function start() {
  const identity = testIdentity({ viewer: ["plugin:admin"] });
  const server = await startServer({ parts: identity.parts });
  return { identity, server };
}

test("a stream needs a credential", async () => {
  const { server } = await start();
  expect((await server.get("/api/events")).status).toBe(401);
  expect((await server.get("/api/events?token=viewer")).status).toBe(401);
});

test("a change is pushed to whoever listens, and a reconnection resumes after the last one heard", async () => {
  const { server } = await start();
  const first = await server.get("/api/events", bearer("viewer"));
  expect(first.status).toBe(200);
  expect(first.headers.get("content-type")).toBe("text/event-stream");
  expect(first.headers.get("x-accel-buffering")).toBe("no");
  await server.store.commit(entry);
  // The first entry is the start's own.
  const heard = await readUntil(first, (text) => text.includes("id: 2\n"));
  expect(heard).toContain(
    `data: {"position":2,"at":"2023-11-14T22:13:20.000Z","action":"plugin.installed","subject":"${plugin}"}`,
  );
  await server.store.commit(entry);
  await server.store.commit(entry);
  const headers = { ...bearer("viewer").headers, "Last-Event-ID": "2" };
  const again = await readUntil(await server.get("/api/events", { headers }), (text) => text.includes("id: 4\n"));
  expect([...again.matchAll(/event: change\nid: (\d+)/g)].map((match) => match[1])).toEqual(["3", "4"]);
});

test("a Last-Event-ID that is no position is refused", async () => {
  const { server } = await start();
  for (const id of ["x", "-1", "1.5", "1e3", "99999999999999999999", "01"]) {
    const answer = await server.get("/api/events", { headers: { ...bearer("viewer").headers, "Last-Event-ID": id } });
    expect(answer.status).toBe(400);
  }
});

test("a stream ends with its credential, not at the next beat, and its place is free again", async () => {
  // No beat comes any more: whoever waits for one waits for ever.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, identity } = await start();
  const answer = await server.get("/api/events", bearer("viewer"));
  const ended = readUntil(answer);
  expect(identity.watchers("viewer")).toBe(1);
  identity.revoke("viewer");
  await ended;
  expect((await server.get("/api/events", bearer("viewer"))).status).toBe(401);
  expect(identity.watchers("viewer")).toBe(0);
});

test("the ninth stream of a user is refused", async () => {
  const { server } = await start();
  const open = [];
  for (let i = 0; i < 8; i += 1) open.push(await server.get("/api/events", bearer("viewer")));
  const refused = await server.get("/api/events", bearer("viewer"));
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("5");
  for (const answer of open) await answer.body?.cancel();
});

test("HEAD opens no stream", async () => {
  const { server, identity } = await start();
  const answer = await server.get("/api/events", { method: "HEAD", ...bearer("viewer") });
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
  expect(identity.watchers("viewer")).toBe(0);
});

test("a client that leaves is forgotten", async () => {
  const { server, identity } = await start();
  const answer = await server.get("/api/events", bearer("viewer"));
  await answer.body?.cancel();
  await expect.poll(() => identity.watchers("viewer")).toBe(0);
});
