import { channelLimits } from "@gatehouse/channel";
import { hostLogLimits } from "@gatehouse/contract";
import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { linesOf, startFollowed, startFollowing } from "../../test/following-logs.ts";
import { makeLogGround } from "../../test/log-ground.ts";

const [log, other] = ["/var/log/web.log", "/var/log/other.log"] as const;
const nothing = { lines: [], cursors: [null], more: [], lost: [], refused: [] };

test("the first message says where the logs are and has no line; then lines come as they are written, every two seconds", async () => {
  const { frames, append, rest, acknowledge, clock, timers } = await startFollowed(log);
  expect(frames).toMatchObject([{ seq: 1, sources: [log], lines: [], dropped: [] }]);
  append(log, "one\ntwo\n");
  expect(await rest()).toBe(2_000);
  expect(frames[1]).toMatchObject({
    seq: 2,
    at: clock.now(),
    lines: [
      { s: 0, text: "one" },
      { s: 0, text: "two" },
    ],
  });
  expect(timers.running(), "one message at a time").toEqual([]);
  await acknowledge();
  expect(await rest()).toBe(2_000);
  expect(frames, "nothing new is nothing to say").toHaveLength(2);
});

test("what was written while nobody was connected comes with the next connection, and what was kept does not come again", async () => {
  const { frames, append, rest, acknowledge, follower, want } = await startFollowed(log);
  follower.end();
  append(log, "one\n");
  await want(frames.at(-1)?.checkpoint ?? null);
  expect(linesOf(frames)).toEqual(["one"]);
  // The acknowledgement is lost with the connection, and the server has kept the lines.
  follower.end();
  append(log, "two\n");
  await want(frames.at(-1)?.checkpoint ?? null);
  expect(linesOf(frames)).toEqual(["one", "two"]);
  await acknowledge();
  await rest();
  // And here it has not.
  append(log, "three\n");
  await rest();
  follower.end();
  await want(frames.at(-2)?.checkpoint ?? null);
  expect(linesOf(frames)).toEqual(["one", "two", "three", "three"]);
});

test("lines that the server did not keep come again after the pause that it has asked for, with a number of their own", async () => {
  const { frames, append, rest, acknowledge, asked } = await startFollowed(log);
  append(log, "one\n");
  await rest();
  await acknowledge({ kept: false, pauseMs: 60_000 });
  append(log, "two\n");
  const before = asked.length;
  expect(await rest()).toBe(60_000);
  expect(asked.length).toBe(before + 1);
  expect(frames.slice(1).map(({ seq, lines }) => [seq, ...lines.map(({ text }) => text)])).toEqual([
    [2, "one"],
    [3, "one", "two"],
  ]);
  await acknowledge({ kept: false, pauseMs: 0 });
  expect(await rest(), "and never at once").toBe(1_000);
  await acknowledge({ pauseMs: 5_000 });
  expect(await rest()).toBe(5_000);
});

test("without an acknowledgement nothing more is sent, and one that is late, twice or of another message says nothing", async () => {
  const { frames, append, rest, acknowledge, timers, asked } = await startFollowed(log);
  append(log, "one\n");
  await rest();
  append(log, "two\n");
  expect(timers.running()).toEqual([]);
  await acknowledge({ seq: 1 });
  expect(frames).toHaveLength(2);
  await acknowledge();
  const before = asked.length;
  await acknowledge();
  await acknowledge({ kept: false, pauseMs: 1 });
  expect(asked.length).toBe(before);
  await rest();
  expect(linesOf(frames)).toEqual(["one", "two"]);
});

test("no more is sent in a second than the server has said, a message at a time and two seconds of it at most", async () => {
  const { frames, append, rest, acknowledge, clock } = await startFollowed(log);
  append(log, "x\n".repeat(2_000));
  const from = clock.now();
  await rest();
  for (let count = 0; linesOf(frames).length < 1_000; count += 1) {
    if (count > 100) throw new Error("no end");
    await acknowledge();
    await rest();
    const seconds = (clock.now() - from) / 1_000;
    expect(linesOf(frames).length).toBeLessThanOrEqual(200 + 100 * seconds);
  }
  expect(clock.now() - from).toBeLessThanOrEqual(12_000);
});

test("messages without a line are paced as well: what has no end of a line does not keep root reading", async () => {
  const { frames, append, rest, acknowledge, clock } = await startFollowed(log);
  append(log, "x".repeat(20 * 1_024 * 1_024));
  const [from, before] = [clock.now(), frames.length];
  await rest();
  for (let count = 0; count < 60; count += 1) {
    await acknowledge();
    await rest();
  }
  expect(linesOf(frames)).toHaveLength(1);
  // Two seconds of the budget at once, and then five in a second, where a line counts as one and no line as twenty.
  const seconds = (clock.now() - from) / 1_000;
  expect(frames.length - before).toBeGreaterThan(20);
  expect(frames.length - before).toBeLessThanOrEqual(1 + 10 + 5 * seconds);
});

test("a log that is too far behind is passed over and counted, what is sent and what is dropped are all, and the others lose nothing", async () => {
  const { frames, append, rest, acknowledge } = await startFollowed(log, other);
  let [written, others] = [0, 0];
  const flood = () => {
    append(log, Array.from({ length: 400 }, () => `${written++}\n`).join(""));
    append(other, `o${others++}\n`);
  };
  const dropped = () =>
    frames.flatMap((frame) => frame.dropped.map((each) => ({ ...each, source: frame.sources[each.s] })));
  for (let count = 0; dropped().length < 2; count += 1) {
    if (count > 2_000) throw new Error("nothing is ever passed over");
    flood();
    await rest();
    await acknowledge();
  }
  flood();
  for (let quiet = 0; quiet < 5; quiet += 1) {
    const before = frames.length;
    await rest();
    if (frames.length > before) quiet = 0;
    await acknowledge();
  }
  expect(dropped().every(({ source, lines }) => source === log && lines !== null)).toBe(true);
  const texts = linesOf(frames);
  const ofOther = texts.filter((text) => text.startsWith("o"));
  expect(ofOther).toEqual(Array.from({ length: others }, (_, n) => `o${n}`));
  const sent = texts.filter((text) => !text.startsWith("o")).map(Number);
  expect(sent).toEqual(sent.toSorted((one, two) => one - two));
  expect(sent.length + dropped().reduce((sum, { lines }) => sum + (lines ?? 0), 0)).toBe(written);
  expect(sent.at(-1)).toBe(written - 1);
});

test("a log that cannot be read is left out and said once, and again when that is over; the others go on", async () => {
  const { lines, frames, append, rest, acknowledge, held, read } = await startFollowed(log, other);
  const refusing = async (question: Parameters<typeof read>[0]) => {
    const answer = await read(question);
    const s = question.sources.findIndex(({ source }) => source === log);
    return { ...answer, refused: [{ s, code: "path.symlink", detail: "it is a link" }] };
  };
  held.answer = refusing;
  for (let count = 0; count < 3; count += 1) {
    append(other, `${count}\n`);
    await rest();
    await acknowledge();
  }
  expect(lines).toEqual([`the log ${log} is not sent: path.symlink: it is a link`]);
  held.answer = undefined;
  await rest();
  expect(lines).toHaveLength(2);
  expect(lines[1]).toBe(`the log ${log} is sent again`);
  expect(linesOf(frames)).toEqual(["0", "1", "2"]);
});

test("a helper that does not answer is asked again, more and more seldom, which is said once; then lines come", async () => {
  const { lines, append, rest, held, frames } = await startFollowed(log);
  append(log, "one\n");
  held.answer = () => Promise.reject(fault("local.unavailable", "it is being ended"));
  const pauses: (number | undefined)[] = [];
  for (let count = 0; count < 8; count += 1) pauses.push(await rest());
  expect(pauses).toEqual([2_000, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  held.answer = async () => ({ lines: "none" });
  await rest();
  held.answer = async () => ({ ...nothing, lines: [{ s: 3, at: 0, level: null, text: "of nobody" }] });
  await rest();
  held.answer = undefined;
  await rest();
  expect(lines).toEqual([
    "no logs are sent for now: local.unavailable: it is being ended",
    "no logs are sent for now: local.unavailable: the helper has answered no lines of logs",
  ]);
  expect(linesOf(frames)).toEqual(["one"]);
});

test("nothing is asked and nothing sent while the connection has enough to send", async () => {
  const { append, rest, held, frames, asked, read, clock, timers, settled } = await startFollowed(log);
  append(log, "one\n");
  held.isCrowded = true;
  const before = asked.length;
  await rest();
  expect(asked.length).toBe(before);
  held.isCrowded = false;
  held.answer = async (question) => {
    held.isCrowded = true;
    return read(question);
  };
  await rest();
  expect(linesOf(frames)).toEqual([]);
  held.isCrowded = false;
  held.answer = undefined;
  clock.advance(2_000);
  timers.end(2_000);
  await settled();
  expect(linesOf(frames)).toEqual(["one"]);
});

test("an answer that says there is more, and is what was known, is no reason to ask without end", async () => {
  const { rest, held, asked } = await startFollowed(log);
  held.answer = async ({ sources }) => ({ ...nothing, cursors: sources.map(({ cursor }) => cursor), more: [0] });
  const before = asked.length;
  expect([await rest(), await rest()]).toEqual([2_000, 2_000]);
  expect(asked.length).toBe(before + 2);
});

test("a pause of the server is kept, whatever root lists meanwhile", async () => {
  const { rest, list, append, acknowledge, timers, asked } = await startFollowed(log);
  append(log, "one\n");
  await rest();
  await acknowledge({ kept: false, pauseMs: hostLogLimits.pauseMs });
  const before = asked.length;
  await list(log, other);
  expect(asked.length).toBe(before);
  expect(timers.running()).toEqual([hostLogLimits.pauseMs]);
});

test.each([
  ["nonsense", "nonsense"],
  ["of another form", '{"v":2,"at":{}}'],
  ["that names a path", '{"v":1,"at":{"/etc/shadow":"f1:1:0:l:0:e3b0c44298fc1c14:0"}}'],
  ["with a prototype", '{"v":1,"at":{"__proto__":"x"}}'],
  ["of 8 KiB", "x".repeat(8_192)],
  ["as deep as there is room", "[".repeat(8_192)],
  ["with a number", '{"v":1,"at":1e400}'],
])("with a checkpoint %s all logs begin at their ends", async (_, checkpoint) => {
  const ground = makeLogGround(log);
  ground.append(log, "old\n");
  const { list, want, frames, acknowledge, rest } = startFollowing(ground);
  await list(log);
  await want(checkpoint);
  expect(frames).toMatchObject([{ lines: [], dropped: [] }]);
  await acknowledge();
  ground.append(log, "new\n");
  await rest();
  expect(linesOf(frames)).toEqual(["new"]);
});

test("as many lines and sources as there can be are one message of this protocol", async () => {
  const sources = Array.from(
    { length: hostLogLimits.sources },
    (_, n) => `/var${`/${"x".repeat(111)}`.repeat(5)}/${n}`,
  );
  const { append, rest, frames, lines } = await startFollowed(...sources);
  for (const source of sources) append(source, `"\\${"\u0001".repeat(5_000)}\n`.repeat(20));
  await rest();
  expect(frames).toHaveLength(2);
  expect(frames[1]?.lines.length).toBeGreaterThan(2);
  const bytes = Buffer.byteLength(JSON.stringify(frames[1]));
  expect(bytes).toBeGreaterThan(channelLimits.frameBytes / 2);
  expect(bytes).toBeLessThanOrEqual(channelLimits.frameBytes);
  expect(lines).toEqual([]);
});
