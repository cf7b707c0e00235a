import { hostLogLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { linesOf, startFollowed, startFollowing } from "../../test/following-logs.ts";
import { makeLogGround } from "../../test/log-ground.ts";

const [log, other] = ["/var/log/web.log", "/var/log/other.log"] as const;

test("where root lets nothing be sent the helper is not asked, and it is as soon as root does", async () => {
  const ground = makeLogGround(log);
  const following = startFollowing(ground);
  await following.want(null);
  await following.list();
  expect([following.asked, following.timers.running()]).toEqual([[], []]);
  ground.append(log, "old\n");
  await following.list(log);
  expect(following.frames).toMatchObject([{ sources: [log], lines: [] }]);
  await following.acknowledge();
  await following.list();
  expect(following.timers.running()).toEqual([]);
  expect(following.asked).toHaveLength(1);
});

test("a log that root has taken from the list is not sent, even when it was read already, and begins anew when it comes back", async () => {
  const { list, frames, append, timers, clock, settled, follower, held, acknowledge, rest, read } = await startFollowed(
    log,
    other,
  );
  append(log, "secret\n");
  append(other, "public\n");
  const release = Promise.withResolvers<void>();
  held.answer = async (question) => {
    const answer = await read(question);
    await release.promise;
    return answer;
  };
  clock.advance(2_000);
  timers.end(2_000);
  follower.listed([other]);
  held.answer = undefined;
  release.resolve();
  await settled();
  expect(linesOf(frames)).toEqual(["public"]);
  await acknowledge();
  append(log, "while it was not listed\n");
  await list(log, other);
  await acknowledge();
  append(log, "new\n");
  await rest();
  expect(linesOf(frames)).toEqual(["public", "new"]);
});

test("a server is told when root lets nothing be sent any more, and after a restart what comes back begins at its end", async () => {
  const ground = await startFollowed(log);
  const { frames, append, rest, acknowledge, list, timers, asked } = ground;
  append(log, "one\n");
  await rest();
  await acknowledge();
  const before = asked.length;
  await list();
  expect(frames.at(-1)).toMatchObject({ seq: 3, sources: [], lines: [], dropped: [], checkpoint: '{"v":1,"at":{}}' });
  await acknowledge({ kept: false, pauseMs: 5_000 });
  expect(await rest(), "until it is kept").toBe(5_000);
  await acknowledge();
  await rest();
  expect([asked.length, frames.length, timers.running()]).toEqual([before, 4, []]);
  append(log, "while it was not listed\n");
  const later = startFollowing(ground);
  await later.want(frames.at(-1)?.checkpoint ?? null);
  expect(later.frames, "before root's list is known nothing is said").toEqual([]);
  await later.list(log);
  await later.acknowledge();
  append(log, "two\n");
  await later.rest();
  expect(linesOf(later.frames)).toEqual(["two"]);
});

test.each(["a message is on its way", "the connection is cut before the server knows"])(
  "what root takes from the list and puts back while %s begins at its end",
  async (when) => {
    const { frames, append, rest, acknowledge, list, follower, want } = await startFollowed(log, other);
    append(log, "one\n");
    await rest();
    const kept = frames.at(-1)?.checkpoint ?? null;
    if (when !== "a message is on its way") {
      await acknowledge();
      await rest();
    }
    await list(other);
    append(log, "while it was not listed\n");
    if (when !== "a message is on its way") {
      follower.end();
      await list(log, other);
      await want(kept);
    } else {
      await list(log, other);
    }
    await acknowledge();
    await rest();
    await acknowledge();
    append(log, "two\n");
    await rest();
    expect(linesOf(frames)).toEqual(["one", "two"]);
  },
);

test("a server says once on a connection that it wants logs: whatever it says again changes nothing and asks nobody", async () => {
  const { want, frames, append, acknowledge, asked, rest, clock } = await startFollowed(log);
  append(log, "x\n".repeat(2_000));
  const begin = frames[0]?.checkpoint ?? null;
  const from = clock.now();
  await rest();
  const before = asked.length;
  for (let count = 0; count < 100; count += 1) await want(begin, hostLogLimits.linesPerSecond.most);
  expect(asked.length).toBe(before);
  for (let count = 0; count < 10; count += 1) {
    await want(begin, hostLogLimits.linesPerSecond.most);
    await acknowledge();
    await rest();
    expect(linesOf(frames).length).toBeLessThanOrEqual(200 + (100 * (clock.now() - from)) / 1_000);
  }
  expect(new Set(frames.map(({ seq }) => seq)).size, "the numbers go on").toBe(frames.length);
});

test("a connection that is opened again and again brings no more lines than one that stays", async () => {
  const { want, frames, append, follower, clock } = await startFollowed(log);
  append(log, "x\n".repeat(5_000));
  const from = clock.now();
  for (let count = 0; count < 20; count += 1) {
    follower.end();
    clock.advance(200);
    await want(frames.at(-1)?.checkpoint ?? null);
  }
  expect(linesOf(frames).length).toBeGreaterThan(0);
  expect(linesOf(frames).length).toBeLessThanOrEqual(200 + (100 * (clock.now() - from)) / 1_000);
});

test("a server that wants logs on another connection says from where and how fast, and an answer for the one before is nobody's", async () => {
  const { want, frames, append, rest, acknowledge, asked, follower, held, read, settled, clock, timers } =
    await startFollowed(log);
  const begin = frames[0]?.checkpoint ?? null;
  append(log, "one\ntwo\n");
  await rest();
  await acknowledge();
  follower.end();
  await want(begin, 1);
  expect(linesOf(frames)).toEqual(["one", "two", "one", "two"]);
  expect(asked.at(-1)?.lines).toBe(2);
  await acknowledge();
  const release = Promise.withResolvers<void>();
  held.answer = async (question) => {
    await release.promise;
    return read(question);
  };
  append(log, "three\n");
  clock.advance(2_000);
  timers.end(2_000);
  const wanted = { t: "want-logs", checkpoint: null, linesPerSecond: 1, behindSeconds: 300 } as const;
  for (let count = 0; count < 100; count += 1) {
    follower.end();
    follower.want(wanted);
  }
  const before = asked.length;
  release.resolve();
  await settled();
  expect(asked.length, "only the newest question waits").toBe(before + 1);
  expect(linesOf(frames)).toEqual(["one", "two", "one", "two"]);
});
