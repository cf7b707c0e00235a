import {
  channelLimits,
  decodeBase64url,
  encodeBase64url,
  type FrameOf,
  readControlFrame,
  readStateAnswer,
} from "@gatehouse/channel";
import { isSignedBy, loadPublicKey } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import type { Peer } from "../../test/fake-control-server.ts";
import { startConnected } from "../../test/running-agent.ts";
import { fault } from "@gatehouse/contract/faults";

const request = encodeBase64url(new Uint8Array(32).fill(7));
const other = encodeBase64url(new Uint8Array(32).fill(8));
const task = `task_${"0".repeat(26)}`;
const part = { sha256: "a".repeat(64), size: 1 };
const parts = { header: part, digests: part, section: part, approvals: part, artifacts: [] };
const change = { t: "task", task, planDigest: "b".repeat(64), index: 0, parts };

const question = (of = request) => JSON.stringify({ t: "want-state", request: of, subjects: ["host:ssh"] });
const heard = <Type extends "state" | "state-refused" | "task-refused">(peer: Peer, type: Type): FrameOf<Type>[] =>
  peer.received
    .flatMap((data) => (typeof data === "string" ? (readControlFrame(data, "agent") ?? []) : []))
    .filter((frame): frame is FrameOf<Type> => frame.t === type);

test("a question is passed to the helper, and its signed answer comes in pieces that are put together again", async () => {
  const { peer, helper, identity } = await startConnected();
  const nftables = Array.from({ length: 600 }, (_, at) => ({ rule: { comment: `rule ${at}`.padEnd(60) } }));
  const states = [{ subject: "firewall:gatehouse_web", state: { nftables } }];
  Object.assign(helper.deps, { readStates: async () => states });
  peer.socket.send(question());
  await expect.poll(() => heard(peer, "state").length).toBeGreaterThan(1);
  await expect.poll(() => heard(peer, "state").length).toBe(heard(peer, "state")[0]?.pieces);
  const pieces = heard(peer, "state");
  expect(pieces.map(({ piece }) => piece)).toEqual(pieces.map((_, at) => at));
  const bytes = pieces.map((each) => decodeBase64url(each.bytes) as Uint8Array);
  expect(bytes.slice(0, -1).every(({ byteLength }) => byteLength === channelLimits.statePieceBytes)).toBe(true);
  const read = readSigned(Buffer.concat(bytes), [64], readStateAnswer);
  expect(read?.value).toMatchObject({ nodeId: identity.nodeId, states });
  expect(encodeBase64url(read?.value.request ?? new Uint8Array())).toBe(request);
  expect(read && isSignedBy(loadPublicKey(identity.publicKey, "H"), read.framed, read.signatures[0])).toBe(true);
});

test("what the helper refuses is told by its name, and the next question is answered", async () => {
  const { peer, helper } = await startConnected();
  Object.assign(helper.deps, { readStates: () => Promise.reject(fault("read.ceiling", "file:/etc/shadow")) });
  peer.socket.send(question());
  await expect
    .poll(() => heard(peer, "state-refused"))
    .toEqual([{ t: "state-refused", request, code: "read.ceiling", detail: "file:/etc/shadow" }]);
  Object.assign(helper.deps, { readStates: async () => [] });
  peer.socket.send(question(other));
  await expect.poll(() => heard(peer, "state")).toMatchObject([{ request: other, piece: 0, pieces: 1 }]);
});

test("a second question while one is answered is refused and not kept; the first is answered", async () => {
  const { peer, helper } = await startConnected();
  const { promise, resolve } = Promise.withResolvers<[]>();
  let asked = 0;
  Object.assign(helper.deps, {
    readStates: () => {
      asked += 1;
      return promise;
    },
  });
  peer.socket.send(question());
  await expect.poll(() => asked).toBe(1);
  peer.socket.send(question(other));
  await expect.poll(() => heard(peer, "state-refused")).toMatchObject([{ request: other, code: "read.rate" }]);
  resolve([]);
  await expect.poll(() => heard(peer, "state")).toMatchObject([{ request }]);
  expect(asked).toBe(1);
});

test("a helper that ends in the middle of a question is told as one that is not there", async () => {
  const { peer, helper, lines } = await startConnected();
  const begun = Promise.withResolvers<void>();
  Object.assign(helper.deps, {
    readStates: () => {
      begun.resolve();
      return new Promise(() => undefined);
    },
  });
  peer.socket.send(question());
  await begun.promise;
  helper.served.close();
  await expect.poll(() => heard(peer, "state-refused")).toMatchObject([{ request, code: "local.unavailable" }]);
  peer.socket.send(JSON.stringify(change));
  await expect.poll(() => heard(peer, "task-refused")).toMatchObject([{ task, code: "local.unavailable" }]);
  expect(lines.filter((line) => line.startsWith("not connected"))).toEqual([]);
});

test("an answer for a connection that is gone is not sent over the next one", async () => {
  const { peer, peers, helper, timers, lines } = await startConnected();
  const { promise, resolve } = Promise.withResolvers<[]>();
  const begun = Promise.withResolvers<void>();
  Object.assign(helper.deps, {
    readStates: () => {
      begun.resolve();
      return promise;
    },
  });
  peer.socket.send(question());
  await begun.promise;
  peer.socket.close(1012, "");
  await expect.poll(() => lines.some((line) => line.startsWith("not connected"))).toBe(true);
  expect(timers.end(10_000)).toBe(1);
  await expect.poll(() => lines.filter((line) => line === "connected").length).toBe(2);
  resolve([]);
  const next = peers[1] as Peer;
  // The connection that is there now has its own turn, and this answer is the first that it gets.
  Object.assign(helper.deps, { readStates: async () => [] });
  next.socket.send(question(other));
  await expect.poll(() => heard(next, "state")).toMatchObject([{ request: other }]);
});

test("a change that the helper does not admit is refused by the helper's own words, and the connection goes on", async () => {
  const { peer, lines } = await startConnected();
  peer.socket.send(JSON.stringify(change));
  await expect.poll(() => heard(peer, "task-refused")).toMatchObject([{ task, code: "ceiling.off" }]);
  expect(heard(peer, "task-refused")[0]?.detail).toMatch(/^expected .*, found /);
  expect(lines.filter((line) => line.startsWith("not connected"))).toEqual([]);
});
