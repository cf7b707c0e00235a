import { type FrameOf, readControlFrame } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { manualClock } from "@gatehouse/base";
import type { Peer } from "../../test/fake-control-server.ts";
import { startConnected } from "../../test/running-agent.ts";
import type { ReadLogs } from "../helper/helper-deps.ts";

const wanted = { t: "want-logs", checkpoint: null, linesPerSecond: 100, behindSeconds: 300 };
const heard = (peer: Peer): FrameOf<"logs">[] =>
  peer.received
    .flatMap((data) => (typeof data === "string" ? (readControlFrame(data, "agent") ?? []) : []))
    .filter((frame): frame is FrameOf<"logs"> => frame.t === "logs");

/** A helper that reads a line at each question, and a host whose root lets it be sent. */
async function startSending() {
  const agent = await startConnected();
  const { helper } = agent;
  let count = 0;
  const asked: Parameters<ReadLogs>[0][] = [];
  const readLogs: ReadLogs = async (question) => {
    asked.push(question);
    count += 1;
    const lines = count === 1 ? [] : [{ s: 0, at: manualClock().now(), level: 6, text: `line ${count - 1}` }];
    return { lines, cursors: [`j1:${count}`], more: [], lost: [], refused: [] };
  };
  const ceiling = { level: "monitor" as const, send: { logs: ["web.service"] } };
  Object.assign(helper.deps, { readLogs, readCeiling: () => ceiling });
  // The facts are asked for again after five minutes: then the agent knows.
  agent.timers.end(5 * 60_000);
  return { ...agent, asked };
}

test("a server that wants logs gets lines of those that root lets be sent, one message at a time", async () => {
  const { peer, timers, asked } = await startSending();
  peer.socket.send(JSON.stringify(wanted));
  await expect.poll(() => heard(peer)).toMatchObject([{ seq: 1, sources: ["web.service"], lines: [] }]);
  expect(asked).toEqual([{ sources: [{ source: "web.service", cursor: null }], lines: 200, skip: false }]);
  peer.socket.send('{"t":"logs-ack","seq":1,"pauseMs":0,"kept":true}');
  await expect.poll(() => timers.running()).toContain(2_000);
  timers.end(2_000);
  await expect.poll(() => heard(peer).length).toBe(2);
  expect(heard(peer)[1]).toMatchObject({ seq: 2, lines: [{ s: 0, level: 6, text: "line 1" }], dropped: [] });
  expect(asked[1]?.sources).toEqual([{ source: "web.service", cursor: "j1:1" }]);
});

test("an acknowledgement of lines that were never sent closes the connection, and with it the sending ends", async () => {
  const { peer, timers, lines } = await startSending();
  peer.socket.send(JSON.stringify(wanted));
  await expect.poll(() => heard(peer).length).toBe(1);
  peer.socket.send('{"t":"logs-ack","seq":2,"pauseMs":0,"kept":true}');
  expect(await peer.closed).toMatchObject({ reason: "frame.malformed" });
  expect(lines.some((line) => line.startsWith("not connected: frame.malformed"))).toBe(true);
  expect(timers.running()).not.toContain(2_000);
});

test("a host whose root lets nothing be sent answers such a wish with nothing, and its helper is not asked", async () => {
  const { peer, helper } = await startConnected();
  let asked = 0;
  Object.assign(helper.deps, { readLogs: async () => void (asked += 1) });
  peer.socket.send(JSON.stringify(wanted));
  // What is asked behind it is answered: so the wish was taken, too.
  peer.socket.send(JSON.stringify({ t: "want-state", request: "A".repeat(43), subjects: ["host:ssh"] }));
  await expect.poll(() => peer.received.some((data) => String(data).includes('"state'))).toBe(true);
  expect([asked, heard(peer)]).toEqual([0, []]);
});
