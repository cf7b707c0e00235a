import { connect } from "node:net";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { openEventStream } from "./support/event-stream.ts";
import { call, enter, newPerson, ofToken } from "./support/people.ts";
import { requestBytes } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * The places for streams were counted when a stream began, and judged long before: fifty requests in one write all found the
 * last place free. Each then read the whole log for a reader who could take nothing of it.
 */
const metricsToken = "0123456789abcdef0123456789abcdef0123";
const server = await sharedServer({
  env: { SERVICE_METRICS_TOKEN: metricsToken, SERVICE_TRUST_PROXY: "1" },
});
const { port } = server;
const owner = await enter(port);
const viewer = await newPerson(port, owner, "viewer");
const pipelined = 50;
const perUser = 8;

test("streams in one write on one connection are one stream, and leave no place taken", async (context) => {
  const one = requestBytes(port, {
    path: "/api/events?after=0",
    headers: [...viewer.as, ["Connection", "keep-alive"]],
  });
  let said = "";
  const socket = connect({ port, host: "127.0.0.1" });
  socket.setEncoding("utf8").on("data", (piece) => (said += String(piece)));
  socket.on("error", () => undefined);
  try {
    socket.write(Buffer.concat(Array.from({ length: pipelined }, () => one)));
    await until("the first stream has begun", () => said.includes("retry: "));
    // Whoever asks behind them is judged after them.
    expect((await call(port, "GET", "/api/auth/whoami", { as: viewer.as })).status).toBe(200);
    expect(await streams()).toBe(1);
  } finally {
    socket.destroy();
  }
  await until("the place is free again", async () => (await streams()) === 0);
  tried(context, `${count(pipelined, "requests for a stream")} in one write`);
});

test("streams asked for at once on many connections are no more than a person may have", async (context) => {
  const asked = Array.from({ length: 3 * perUser }, () => openEventStream(port, viewer.as));
  try {
    await Promise.all(asked.map((stream) => stream.until(() => stream.text().includes("\r\n\r\n"))));
    const statuses = asked.map((stream) => stream.text().slice(9, 12));
    expect(statuses.filter((status) => status === "200")).toHaveLength(perUser);
    expect(await streams()).toBe(perUser);
  } finally {
    for (const stream of asked) stream[Symbol.dispose]();
  }
  await until("the places are free again", async () => (await streams()) === 0);
  tried(context, `${count(asked.length, "connections")} at once`);
});

test("a reader who leaves before the stream has begun takes no place", async (context) => {
  const left = 40;
  for (let n = 0; n < left; n += 1) {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    const bytes = requestBytes(port, { path: "/api/events", headers: viewer.as });
    await new Promise<void>((done) => socket.write(bytes, () => done()));
    socket.destroy();
  }
  await until("no place is taken", async () => (await streams()) === 0);
  tried(context, `${count(left, "readers")} who left at once`);
});

async function streams(): Promise<number> {
  const { raw } = await call(port, "GET", "/api/metrics", { as: ofToken(metricsToken) });
  const [, found] = /^gatehouse_event_streams (\d+)$/m.exec(raw.body.toString()) ?? [];
  if (found === undefined) throw new Error(`the metrics were answered ${raw.status}`);
  return Number(found);
}
