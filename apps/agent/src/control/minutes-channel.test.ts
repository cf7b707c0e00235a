import { readControlFrame } from "@gatehouse/channel";
import { metricLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { greet, type Peer, startControlServer } from "../../test/fake-control-server.ts";
import { firstMs, startAgentAt, startConnected } from "../../test/running-agent.ts";

const beatMs = 5_000;
const at = (n: number) => Date.UTC(2026, 0, 1) - n * metricLimits.minuteMs;
const frames = (peer: Peer) =>
  peer.received.flatMap((each) => {
    const frame = typeof each === "string" ? readControlFrame(each, "agent") : undefined;
    return frame === undefined ? [] : [frame];
  });
/** Beats as their numbers, messages of minutes as the moments in them; in the order of arrival. */
const told = (peer: Peer) =>
  frames(peer).flatMap((frame): readonly (number | readonly number[])[] => {
    if (frame.t === "beat") return [frame.seq];
    return frame.t === "~minutes" ? [frame.minutes.map((each) => each.at)] : [];
  });

test("minutes go before the beat that carries their acknowledgement, and are held until it comes", async () => {
  const { peer, timers, measuring } = await startConnected();
  expect(measuring.isOn).toBe(true);
  measuring.add({ at: at(2), values: [1, null] });
  measuring.add({ at: at(1), values: [2, null] });
  timers.end(beatMs);
  await expect.poll(() => told(peer)).toEqual([[at(2), at(1)], 1]);
  expect(frames(peer).find(({ t }) => t === "~minutes")).toMatchObject({
    at: at(0),
    minutes: [{ values: [1, null] }, {}],
  });
  measuring.add({ at: at(0), values: [] });
  timers.end(10_000);
  await expect.poll(() => told(peer).slice(2)).toEqual([[at(0)], 2]);
  expect(measuring.after(0)).toHaveLength(3);
  peer.socket.send('{"t":"beat-ack","seq":1}');
  await expect.poll(() => measuring.after(0).map((each) => each.at)).toEqual([at(0)]);
  peer.socket.send('{"t":"beat-ack","seq":1}');
  peer.socket.send('{"t":"beat-ack","seq":2}');
  await expect.poll(() => measuring.after(0)).toEqual([]);
});

test("another connection carries again what was not acknowledged, one message with each beat", async () => {
  const server = await startControlServer((peer) => greet(peer));
  const { timers, measuring, lines } = await startAgentAt(server.url);
  const count = metricLimits.sentMinutes + 1;
  for (let n = count; n > 0; n -= 1) measuring.add({ at: at(n), values: [] });
  timers.end(firstMs);
  const connect = async (n: number) => {
    await expect.poll(() => lines.filter((each) => each === "connected").length).toBe(n);
    return server.peers[n - 1] as Peer;
  };
  const first = await connect(1);
  timers.end(beatMs);
  await expect.poll(() => told(first).length).toBe(2);
  first.socket.close(1012, "");
  await expect.poll(() => lines.some((each) => each.startsWith("not connected"))).toBe(true);
  timers.endWhere(() => true);
  const second = await connect(2);
  timers.end(beatMs);
  await expect.poll(() => told(second).length).toBe(2);
  timers.end(10_000);
  await expect.poll(() => told(second)).toEqual([expect.any(Array), 1, [at(1)], 2]);
  expect(told(second)[0]).toEqual(told(first)[0]);
  expect(told(second)[0]).toHaveLength(metricLimits.sentMinutes);
});

test("a connection that has enough to send carries beats alone, and the minutes when it has room", async () => {
  const { peer, timers, measuring, line } = await startConnected();
  measuring.add({ at: at(1), values: [] });
  line.waiting = 1024 * 1024;
  timers.end(beatMs);
  await expect.poll(() => told(peer)).toEqual([1]);
  peer.socket.send('{"t":"beat-ack","seq":1}');
  line.waiting = 0;
  timers.end(10_000);
  await expect.poll(() => told(peer)).toEqual([1, [at(1)], 2]);
  expect(measuring.after(0)).toHaveLength(1);
});

test("an agent that stops measures no more", async () => {
  const { stop, done, measuring } = await startConnected();
  stop.abort();
  await done;
  expect(measuring.isOn).toBe(false);
});
