import { challengeFrame, encodeBase64url, type FrameOf, readControlFrame } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { newPrivateKey } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { sampleChange } from "../../test/fake-judge.ts";
import {
  greet,
  honestChallenge,
  type Peer,
  readHello,
  startControlServer,
  welcomeTo,
} from "../../test/fake-control-server.ts";
import { firstMs, startAgentAt, startConnected } from "../../test/running-agent.ts";
import { followMs } from "./follow-journal.ts";

const probe = new Uint8Array(32).fill(9);
const change = sampleChange();
const { task } = change.task;
const announced = JSON.stringify({ t: "task", ...change.task });

const heard = <Type extends "out" | "~step" | "task-taken">(peer: Peer | undefined, type: Type): FrameOf<Type>[] =>
  (peer?.received ?? [])
    .flatMap((data) => (typeof data === "string" ? (readControlFrame(data, "agent") ?? []) : []))
    .filter((frame): frame is FrameOf<Type> => frame.t === type);
const outcomesOf = (peer: Peer | undefined) =>
  heard(peer, "out").flatMap(({ kind, body }) => (kind === "outcome" ? [body] : []));

/** An agent whose helper has a probe; `answer` says what the server makes of the hello. */
async function startWithProbe(answer: (framed: Uint8Array) => Uint8Array = welcomeTo) {
  const hellos: Uint8Array[] = [];
  const welcomes: Uint8Array[] = [];
  const server = await startControlServer(async (peer) => {
    peer.socket.send(challengeFrame(honestChallenge));
    const { hello, framed } = await readHello(peer);
    hellos.push(hello.probe);
    const welcome = answer(framed);
    welcomes.push(welcome);
    peer.socket.send(welcome);
  });
  const agent = await startAgentAt(server.url);
  agent.changes.probe = encodeBase64url(probe);
  return { ...agent, peers: server.peers, hellos, welcomes };
}

test("the helper's probe stands in the hello, and the helper gets both halves as they went over the wire; then the journal is read", async () => {
  const { timers, changes, hellos, welcomes, peers, lines } = await startWithProbe();
  await expect.poll(() => changes.asks("journal.read").length).toBe(1);
  timers.end(firstMs);
  await expect.poll(() => lines).toContain("the helper has taken the proof that this host reaches its server");
  expect(hellos).toEqual([probe]);
  const hello = encodeBase64url(peers[0]?.received[0] as Uint8Array);
  expect(changes.asks("probe.proof")).toEqual([{ hello, welcome: encodeBase64url(welcomes[0] as Uint8Array) }]);
  await expect.poll(() => changes.asks("journal.read").length).toBe(2);
  expect(changes.asked.map(({ verb }) => verb)).toEqual(["journal.read", "probe.get", "probe.proof", "journal.read"]);
});

test("every connection asks for the probe anew, and brings a proof of its own", async () => {
  const { timers, changes, hellos, peers, lines } = await startWithProbe();
  timers.end(firstMs);
  await expect.poll(() => changes.asks("probe.proof").length).toBe(1);
  changes.probe = "";
  peers[0]?.socket.close(1012, "");
  await expect.poll(() => lines.some((line) => line.startsWith("not connected"))).toBe(true);
  timers.endWhere(() => true);
  await expect.poll(() => lines.filter((line) => line === "connected").length).toBe(2);
  expect(hellos.map((each) => each.byteLength)).toEqual([32, 0]);
  expect(changes.asks("probe.proof")).toHaveLength(1);
});

test("a refused proof is said, and the connection stands", async () => {
  const { timers, changes, lines } = await startWithProbe();
  changes.before = (verb) =>
    verb === "probe.proof" ? Promise.reject(fault("confirm.late", "a second ago")) : Promise.resolve(undefined);
  timers.end(firstMs);
  await expect.poll(() => lines.at(-1)).toMatch(/does not take the proof .*: confirm\.late: a second ago$/);
  expect(lines).toContain("connected");
  expect(changes.asks("probe.proof")).toHaveLength(1);
});

test.each<[string, (framed: Uint8Array) => Uint8Array]>([
  ["of somebody else", (framed) => welcomeTo(framed, { key: newPrivateKey() })],
  ["for another hello", () => welcomeTo(new Uint8Array(10))],
])("a welcome %s is no proof, and is not brought", async (_, answer) => {
  const { timers, changes, lines } = await startWithProbe(answer);
  timers.end(firstMs);
  await expect.poll(() => lines.some((line) => line.startsWith("not connected: hello.server_signature"))).toBe(true);
  expect(changes.asks("probe.proof")).toEqual([]);
});

test("a helper that does not answer about the probe keeps nobody from connecting", async () => {
  const { timers, changes, hellos, lines } = await startWithProbe();
  changes.before = (verb) =>
    verb === "probe.get" ? Promise.reject(fault("local.unavailable", "no answer")) : Promise.resolve(undefined);
  timers.end(firstMs);
  await expect.poll(() => lines).toContain("connected");
  expect(hellos.map((each) => each.byteLength)).toEqual([0]);
  expect(lines[0]).toMatch(/does not say whether a change waits for a proof: local\.unavailable: no answer$/);
});

test("a change that is taken is told as taken, its steps as they come, and its end through the outbox", async () => {
  const { peer, changes, timers, lines } = await startConnected();
  changes.before = async (verb) => {
    if (verb !== "task.submit") return undefined;
    changes.open = task;
    changes.add({ step: { task, state: "validated", at: 1 } });
    return { taken: true };
  };
  peer.socket.send(announced);
  await expect.poll(() => heard(peer, "task-taken")).toEqual([{ t: "task-taken", task }]);
  await expect.poll(() => heard(peer, "~step")).toEqual([{ t: "~step", task, state: "validated", at: 1 }]);
  changes.add({ step: { task, state: "snapshotted", at: 2 } }, { step: { task, state: "armed", at: 3 } });
  await expect.poll(() => timers.end(followMs)).toBe(1);
  await expect.poll(() => heard(peer, "~step").map(({ state }) => state)).toEqual(["validated", "armed"]);
  changes.open = null;
  changes.add({ signed: "c2lnbmVk" });
  await expect.poll(() => timers.end(followMs)).toBe(1);
  await expect.poll(() => outcomesOf(peer)).toEqual([{ signed: "c2lnbmVk" }]);
  await expect.poll(() => timers.running().includes(followMs)).toBe(false);
  expect(heard(peer, "~step")).toHaveLength(2);
  expect(lines).toEqual(["connected"]);
});

test("a connection that comes in the middle of a change is told its step, and an end that came between", async () => {
  const { peer, peers, changes, timers, lines } = await startConnected();
  changes.add({ signed: "Zmlyc3Q" }, { step: { task, state: "armed", at: 3 } });
  changes.open = task;
  peer.socket.close(1012, "");
  await expect.poll(() => lines.some((line) => line.startsWith("not connected"))).toBe(true);
  timers.endWhere(() => true);
  await expect.poll(() => heard(peers[1], "~step")).toEqual([{ t: "~step", task, state: "armed", at: 3 }]);
  await expect.poll(() => outcomesOf(peers[1])).toEqual([{ signed: "Zmlyc3Q" }]);
  peers[1]?.socket.close(1012, "");
  await expect.poll(() => lines.filter((line) => line.startsWith("not connected")).length).toBe(2);
  timers.endWhere((ms) => ms !== followMs);
  await expect.poll(() => heard(peers[2], "~step").length).toBe(1);
});

test("a server that sends a change again which had ended gets its outcome, once until it acknowledges it", async () => {
  const { peer, changes } = await startConnected();
  changes.before = async (verb) => (verb === "task.submit" ? { taken: true, outcome: "c2lnbmVk" } : undefined);
  for (const count of [1, 2, 3]) {
    peer.socket.send(announced);
    await expect.poll(() => heard(peer, "task-taken").length).toBe(count);
  }
  await expect.poll(() => outcomesOf(peer)).toEqual([{ signed: "c2lnbmVk" }]);
  peer.socket.send(JSON.stringify({ t: "out-ack", seq: heard(peer, "out").at(-1)?.seq }));
  await expect
    .poll(() => {
      peer.socket.send(announced);
      return outcomesOf(peer).length;
    })
    .toBe(2);
});

test("what became of a change while the agent was away is put before it connects, and told afterwards", async () => {
  const server = await startControlServer((peer) => greet(peer));
  const { timers, changes } = await startAgentAt(server.url, undefined, undefined, (fake) => {
    fake.add({}, { signed: "c2lnbmVk" });
  });
  await expect.poll(() => changes.asks("journal.read").map(({ after }) => after)).toEqual([0, 2]);
  timers.end(firstMs);
  await expect.poll(() => outcomesOf(server.peers[0])).toEqual([{ signed: "c2lnbmVk" }]);
});

test("an agent that is told to stop in the middle of a change asks nothing more", async () => {
  const { peer, changes, timers, stop, done } = await startConnected();
  changes.open = task;
  changes.before = async (verb) => (verb === "task.submit" ? { taken: true } : undefined);
  peer.socket.send(announced);
  await expect.poll(() => timers.running()).toContain(followMs);
  stop.abort();
  await done;
  expect(timers.running()).toEqual([]);
});
