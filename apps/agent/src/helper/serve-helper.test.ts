import { u32 } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { connectPeer, startHelper } from "../../test/helper-process.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { makeHostIdentity } from "../local/host-key.ts";
import { localLimits } from "../local/local-limits.ts";

async function startEnrolled() {
  const host = makeHostDirectory();
  const identity = await makeHostIdentity(host);
  const helper = await startHelper(host);
  return { host, identity, ...helper, peer: () => connectPeer(host.paths.helperSocket) };
}

test("every id gets one answer, in the order in which they came, whatever pieces they come in", async () => {
  const { peer, identity } = await startEnrolled();
  const { send, raw, received } = await peer();
  send({ v: 1, id: 1, verb: "identity" });
  const text = Buffer.from(JSON.stringify({ v: 1, id: 7, verb: "ceiling" }));
  for (const byte of [...u32(text.byteLength), ...text]) raw(new Uint8Array([byte]));
  const [first, second] = await received(2);
  expect(first).toMatchObject({ v: 1, id: 1, ok: true, nodeId: identity.nodeId, bound: true });
  expect(second).toMatchObject({ v: 1, id: 7, ok: true });
});

test.each([
  ["no JSON", Buffer.from("rubbish")],
  ["a list", Buffer.from("[]")],
  ["a key twice", Buffer.from('{"v":1,"id":1,"id":1,"verb":"identity"}')],
  ["no version", Buffer.from('{"id":1,"verb":"identity"}')],
  ["an id that is no number", Buffer.from('{"v":1,"id":"1","verb":"identity"}')],
  ["a field that the verb does not have", Buffer.from('{"v":1,"id":1,"verb":"identity","more":1}')],
  ["bytes that are no text", Buffer.from([0xff, 0xfe])],
  ["nothing", Buffer.alloc(0)],
])("%s is answered with local.frame, and the connection ends", async (_, bytes) => {
  const { peer, lines } = await startEnrolled();
  const { raw, answers, closed } = await peer();
  raw(Buffer.concat([u32(bytes.byteLength), bytes]));
  await closed();
  expect(answers).toEqual([expect.objectContaining({ ok: false, code: "local.frame" })]);
  expect(lines).toEqual([expect.stringMatching(/^a connection was cut: local\.frame/)]);
});

test("an id that was there before is refused, and so is every one below it", async () => {
  const { peer } = await startEnrolled();
  const { send, answers, closed } = await peer();
  send({ v: 1, id: 5, verb: "identity" });
  send({ v: 1, id: 5, verb: "identity" });
  await closed();
  expect(answers.map(({ ok, code }) => code ?? ok)).toEqual([true, "local.frame"]);
});

test.each(["ceiling.set", "trust.reset", "rollback", "task.cancel", "toString", "__proto__", ""])(
  "the verb %j is no verb, and the connection goes on",
  async (verb) => {
    const { peer } = await startEnrolled();
    const { send, received } = await peer();
    send({ v: 1, id: 1, verb });
    send({ v: 1, id: 2, verb: "identity" });
    expect((await received(2)).map(({ ok, code }) => code ?? ok)).toEqual(["local.verb", true]);
  },
);

test("a length that no message has is refused before a byte of it is kept", async () => {
  const { peer } = await startEnrolled();
  for (const length of [2 ** 32 - 1, localLimits.messageBytes + 1]) {
    const { raw, answers, closed } = await peer();
    raw(u32(length));
    await closed();
    expect(answers).toEqual([expect.objectContaining({ id: 0, ok: false, code: "local.limit" })]);
  }
});

test("half a message and silence end after ten seconds, counted from its first byte", async () => {
  const { peer, timers } = await startEnrolled();
  const { raw, answers, closed } = await peer();
  raw(u32(100));
  await expect.poll(() => timers.running()).toContain(localLimits.messageMs);
  raw(new Uint8Array(10));
  raw(new Uint8Array(10));
  expect(timers.end(localLimits.messageMs)).toBe(1);
  await closed();
  expect(answers).toEqual([expect.objectContaining({ code: "local.limit" })]);
});

test("the fifty-first message of a second is one too many", async () => {
  const { peer, clock } = await startEnrolled();
  const { send, received, closed, answers } = await peer();
  for (let id = 1; id <= 50; id += 1) send({ v: 1, id, verb: "identity" });
  await received(50);
  clock.advance(1_000);
  for (let id = 51; id <= 101; id += 1) send({ v: 1, id, verb: "identity" });
  await closed();
  expect(answers.at(-1)).toMatchObject({ code: "local.limit" });
  expect(answers.slice(0, 50).every(({ ok }) => ok === true)).toBe(true);
});

test("the ninth connection is sent away, and a place that becomes free is taken again", async () => {
  const { peer } = await startEnrolled();
  const eight = [];
  for (let count = 0; count < localLimits.connections; count += 1) {
    const each = await peer();
    each.send({ v: 1, id: 1, verb: "identity" });
    await each.received(1);
    eight.push(each);
  }
  const ninth = await peer();
  await ninth.closed();
  expect(ninth.answers).toEqual([expect.objectContaining({ code: "local.limit" })]);
  eight[0]?.socket.destroy();
  await eight[0]?.closed();
  await expect
    .poll(async () => {
      const next = await peer();
      next.send({ v: 1, id: 1, verb: "identity" });
      const [answer] = await next.received(1);
      return answer?.["ok"];
    })
    .toBe(true);
});

test("messages that are never finished fill no more than four MiB, over all connections", async () => {
  const { peer } = await startEnrolled();
  const peers = await Promise.all(Array.from({ length: 5 }, peer));
  for (const { raw } of peers) {
    raw(u32(localLimits.messageBytes));
    raw(new Uint8Array(localLimits.messageBytes - 100));
  }
  await Promise.race(peers.map(({ closed }) => closed()));
  const told = peers.flatMap(({ answers }) => answers);
  expect(told).toEqual([expect.objectContaining({ code: "local.limit" })]);
});

test("without a connection for a minute the helper ends, and not before", async () => {
  const { peer, timers, served } = await startEnrolled();
  const { socket } = await peer();
  await expect.poll(() => timers.running()).toEqual([localLimits.silentMs]);
  socket.destroy();
  await expect.poll(() => timers.end(localLimits.idleMs)).toBe(1);
  await served.done;
});

test("a connection on which nothing is asked does not keep its place", async () => {
  const { peer, timers } = await startEnrolled();
  const { closed } = await peer();
  await expect.poll(() => timers.end(localLimits.silentMs)).toBe(1);
  await closed();
});
