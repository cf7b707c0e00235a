import { rmSync, writeFileSync } from "node:fs";
import { channelLimits, type FrameOf, readControlFrame } from "@gatehouse/channel";
import { nodeVfs } from "@gatehouse/files";
import { expect, test } from "vitest";
import { greet, type Peer, startControlServer } from "../../test/fake-control-server.ts";
import { firstMs, startAgentAt } from "../../test/running-agent.ts";
import { openOutbox } from "../outbox/open-outbox.ts";
import { outsPerSecond } from "./out-steps.ts";

const beatMs = 5_000;
const outs = (peer: Peer | undefined): FrameOf<"out">[] =>
  (peer?.received ?? []).flatMap((each) => {
    const frame = typeof each === "string" ? readControlFrame(each, "agent") : undefined;
    return frame?.t === "out" ? [frame] : [];
  });
const seqs = (peer: Peer | undefined) => outs(peer).map(({ seq }) => seq);
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index);
const ack = (peer: Peer | undefined, seq: number) => peer?.socket.send(JSON.stringify({ t: "out-ack", seq }));

/** An agent that had put so many events, besides the one about its start, before it began. */
async function startWith(kept: number, serve: (peer: Peer, count: number) => unknown, size = 1) {
  let count = 0;
  const server = await startControlServer((peer) => {
    peer.socket.on("message", (data: Buffer) => {
      const seq = /^\{"t":"beat","seq":(\d+),/.exec(data.toString("latin1"))?.[1];
      if (seq !== undefined) peer.socket.send(`{"t":"beat-ack","seq":${seq}}`);
    });
    return serve(peer, (count += 1));
  });
  const agent = await startAgentAt(server.url, async ({ outbox: directory }) => {
    const outbox = await openOutbox({ vfs: nodeVfs, directory, log: () => undefined, now: () => 0 });
    for (let index = 0; index < kept; index += 1) await outbox.put("event", "x".repeat(size));
    await outbox.close();
  });
  agent.timers.end(firstMs);
  /** Lets the pause after a connection end that is over; the hello has a timer as long. */
  const comeBack = async (losses: number) => {
    await expect.poll(() => agent.lines.filter((each) => each.startsWith("not connected")).length).toBe(losses);
    expect(agent.timers.end(10_000)).toBe(1);
  };
  return { ...agent, peers: server.peers, comeBack };
}

test("a start is told once, and again on every connection until it is acknowledged", async () => {
  const { peers, timers, notes, comeBack } = await startWith(0, async (peer, count) => {
    await greet(peer);
    if (count === 1) peer.socket.close(1012, "");
  });
  await comeBack(1);
  await expect.poll(() => seqs(peers[1])).toEqual([1]);
  expect(outs(peers[1])[0]).toMatchObject({
    kind: "event",
    body: { what: "agent.started", at: Date.UTC(2026, 0, 1), detail: "version 0.1.7" },
  });
  expect(notes.at(-1)).toMatchObject({ outbox: { records: 1, dropped: 0 } });
  ack(peers[1], 1);
  await expect.poll(() => timers.end(beatMs) + timers.end(10_000) > 0 && notes.at(-1)?.outbox.records).toBe(0);
  expect(seqs(peers[1])).toEqual([1]);
});

test("64 are under way at most, in order; an acknowledgement moves the window and is remembered", async () => {
  const hellos: unknown[] = [];
  const { peers, timers, helper, notes, comeBack } = await startWith(99, async (peer, count) => {
    hellos.push((await greet(peer, { welcome: { acked: count === 1 ? 0 : 70 } })).body.cursor);
  });
  await expect.poll(() => seqs(peers[0]).length).toBe(channelLimits.unacknowledged);
  expect(seqs(peers[0])).toEqual(upTo(64));
  ack(peers[0], 10);
  await expect.poll(() => seqs(peers[0])).toEqual(upTo(74));
  ack(peers[0], 40);
  // No more than so many in a second, whoever acknowledges how fast.
  await expect.poll(() => seqs(peers[0])).toEqual(upTo(outsPerSecond));
  helper.clock.advance(1_000);
  await expect.poll(() => timers.end(1_000)).toBe(1);
  await expect.poll(() => seqs(peers[0])).toEqual(upTo(100));
  ack(peers[0], 70);
  ack(peers[0], 70);
  // An end of the connection that comes before the disk has taken it has the agent say less.
  await expect.poll(() => timers.end(beatMs) + timers.end(10_000) > 0 && notes.at(-1)?.outbox.records).toBe(30);
  peers[0]?.socket.close(1012, "");
  await comeBack(1);
  await expect.poll(() => seqs(peers[1])).toEqual(upTo(100, 71));
  expect(hellos).toEqual([
    { acked: 0, last: 100 },
    { acked: 70, last: 100 },
  ]);
  expect(outs(peers[1])).toEqual(outs(peers[0]).slice(70));
});

test("a server that has more than the agent knows of is believed up to the last, and one that has lost some gets them again", async () => {
  const welcomes = [5, 2, 6];
  const { peers, comeBack } = await startWith(5, async (peer, count) => {
    await greet(peer, { welcome: { acked: welcomes[count - 1] } });
    if (count === 3) return;
    await peer.next();
    peer.socket.close(1012, "");
  });
  await comeBack(1);
  await expect.poll(() => peers.length).toBe(2);
  expect(seqs(peers[0])).not.toContain(5);
  await comeBack(2);
  await expect.poll(() => peers.length).toBe(3);
  expect(seqs(peers[1])).toEqual(upTo(6, 3).slice(0, seqs(peers[1]).length));
});

test.each([
  ["beyond what was sent", 65, 64],
  ["beyond all there is", 10 ** 9, 64],
])("an acknowledgement %s ends the connection, and nothing of it is remembered", async (_, seq, sent) => {
  const hellos: unknown[] = [];
  const { peers, lines, comeBack } = await startWith(99, async (peer, count) => {
    hellos.push((await greet(peer)).body.cursor);
    if (count === 1) await expect.poll(() => seqs(peer).length).toBe(sent);
    if (count === 1) ack(peer, seq);
  });
  await expect.poll(() => lines.some((each) => each.startsWith("not connected: frame.malformed"))).toBe(true);
  expect((await peers[0]?.closed)?.reason).toBe("frame.malformed");
  await comeBack(1);
  await expect.poll(() => hellos[1]).toEqual({ acked: 0, last: 100 });
});

test("a server that acknowledges nothing gets its beats, and no more than the window", async () => {
  const { peers, timers } = await startWith(99, (peer) => greet(peer), 40_000);
  const beats = () => peers[0]?.received.filter((each) => typeof each === "string" && each.includes('"beat"')).length;
  await expect.poll(() => timers.end(beatMs)).toBe(1);
  await expect.poll(beats).toBe(1);
  await expect.poll(() => (timers.end(1_000), seqs(peers[0]).length)).toBe(channelLimits.unacknowledged);
  await expect.poll(() => timers.end(10_000)).toBe(1);
  await expect.poll(beats).toBe(2);
  expect(seqs(peers[0])).toEqual(upTo(channelLimits.unacknowledged));
});

test("another ceiling is an event, once, and the first is none", async () => {
  const { peers, timers, helper, host } = await startWith(0, (peer) => greet(peer));
  const events = () => outs(peers[0]).map(({ body }) => body as { what: string; detail: string });
  const facts = () => peers[0]?.received.filter((each) => typeof each === "string" && each.includes('"facts"')).length;
  await expect.poll(facts).toBe(1);
  await expect.poll(() => events().map(({ what }) => what)).toEqual(["agent.started"]);
  Object.assign(helper.deps, { readCeiling: () => ({ level: "managed" }) });
  writeFileSync(host.paths.ceiling, "{}");
  expect(timers.end(beatMs)).toBe(1);
  await expect.poll(() => events().map(({ what }) => what)).toEqual(["agent.started", "ceiling.changed"]);
  expect(events()[1]?.detail).toMatch(/^managed, digest [0-9a-f]{16}$/);
  writeFileSync(host.paths.ceiling, "{ }");
  expect(timers.end(10_000)).toBe(1);
  await expect.poll(facts).toBe(2);
  expect(events()).toHaveLength(2);
});

test("without its directory the outbox is said to be unwritable, and the connection stands", async () => {
  const server = await startControlServer((peer) => greet(peer, { welcome: { acked: 7 } }));
  const { timers, lines } = await startAgentAt(server.url, async ({ outbox }) => {
    rmSync(outbox, { recursive: true, force: true });
    writeFileSync(outbox, "a file in its place");
  });
  timers.end(firstMs);
  await expect.poll(() => lines).toContain("connected");
  expect(lines[0]).toMatch(/^outbox\.unwritable: /);
  expect(lines[1]).toMatch(/^the outbox did not take an event: outbox\.unwritable: /);
});
