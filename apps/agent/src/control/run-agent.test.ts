import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { firstTrust, trustDigest } from "@gatehouse/approval/verify";
import { agentSubprotocol, decodeBase64url, readControlFrame, readFacts } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { nodeIdOf } from "@gatehouse/keys";
import { splitSigned } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { makeApproverKey } from "../../test/approver-keys.ts";
import { greet, honestChallenge, type Peer, startControlServer } from "../../test/fake-control-server.ts";
import { firstMs, startAgentAt, startConnected } from "../../test/running-agent.ts";
import { readHelperCounters } from "../helper/helper-counters.ts";
import { putTrust } from "../trust/put-trust.ts";
import { factsMs } from "./control-step.ts";
import { openRunAgent } from "./run-agent.ts";

const beatMs = 5_000;
const frames = (peer: Peer) =>
  peer.received.flatMap((each) => (typeof each === "string" ? [readControlFrame(each, "agent")] : []));

test("an agent says who it is, without origin or cookie, and tells the server what its host signs", async () => {
  const { peer, identity, notes, host, url } = await startConnected();
  expect(peer.headers).toMatchObject({ "sec-websocket-protocol": agentSubprotocol });
  expect(peer.headers).not.toHaveProperty("cookie");
  expect(peer.headers).not.toHaveProperty("origin");
  await expect.poll(() => frames(peer).length).toBe(2);
  const facts = frames(peer).find((each) => each?.t === "facts");
  if (facts?.t !== "facts") throw new Error("no facts");
  const signed = splitSigned(decodeBase64url(facts.signed) as Uint8Array, [64]);
  expect(signed && readFacts(signed.framed)).toMatchObject({
    nodeId: nodeIdOf(identity.publicKey),
    number: 1,
    facts: { agentVersion: "0.1.7", mode: "monitor" },
  });
  expect(facts.addresses).toEqual(["192.0.2.1"]);
  expect(notes.map(({ state }) => state)).toEqual(["waiting", "connecting", "connecting", "connecting", "connected"]);
  expect(notes.at(-1)).toMatchObject({ server: url, nextTryAt: null, lastClose: null });
  expect(readdirSync(host.paths.networkState)).toEqual(["channel.key", "outbox"]);
});

test("the hello names the node, the server and the authority that was dialled, and a nonce that is never the same", async () => {
  const hellos: Awaited<ReturnType<typeof greet>>[] = [];
  const server = await startControlServer(async (peer) => {
    hellos.push(await greet(peer));
    peer.socket.close(1012, "");
  });
  const { timers, identity, lines } = await startAgentAt(server.url);
  timers.end(firstMs);
  // The hello has a timer as long as the pause behind it.
  await expect.poll(() => lines.some((each) => each.startsWith("not connected"))).toBe(true);
  expect(timers.end(10_000)).toBe(1);
  await expect.poll(() => hellos.length).toBe(2);
  expect(hellos[0]).toMatchObject({
    nodeId: identity.nodeId,
    authority: new URL(server.url).host,
    server: honestChallenge.server,
    body: { agentVersion: "0.1.7", cursor: { acked: 0, last: 1 }, features: ["state", "task", "logs", "witness"] },
  });
  expect(hellos[0]?.agentNonce).not.toEqual(hellos[1]?.agentNonce);
});

test("beats come at their pace, and three that nobody acknowledges end the connection", async () => {
  const { peer, timers, lines } = await startConnected();
  const beats = () => frames(peer).filter((each) => each?.t === "beat");
  expect(timers.end(beatMs)).toBe(1);
  await expect.poll(() => beats().length).toBe(1);
  peer.socket.send('{"t":"beat-ack","seq":1}');
  await peer.next();
  for (let count = 2; count <= 4; count += 1) {
    // The acknowledgement of the first is there before the second: it came over the same connection.
    await expect.poll(() => timers.end(10_000)).toBe(1);
    await expect.poll(() => beats().length).toBe(count);
  }
  expect(beats()[3]).toEqual({ t: "beat", seq: 4, at: Date.UTC(2026, 0, 1), values: [] });
  timers.end(10_000);
  await expect.poll(() => lines[1]).toMatch(/^not connected: channel\.silent/);
  expect((await peer.closed).code).toBe(4408);
});

test("a status that the disk does not take is said once, and written with a later beat", async () => {
  const { peer, timers, lines, notes, disk } = await startConnected(({ socket }) =>
    socket.on("message", (data: Buffer) => {
      const seq = /^\{"t":"beat","seq":(\d+),/.exec(data.toString("latin1"))?.[1];
      if (seq !== undefined) socket.send(`{"t":"beat-ack","seq":${seq}}`);
    }),
  );
  const beats = () => frames(peer).filter((each) => each?.t === "beat").length;
  const beat = async () => {
    const before = beats();
    await expect.poll(() => timers.end(beatMs) + timers.end(10_000)).toBeGreaterThan(0);
    await expect.poll(beats).toBeGreaterThan(before);
  };
  // What it has told is not acknowledged yet, so that the first beat has something to note.
  await expect.poll(() => frames(peer).length).toBe(2);
  disk.flaw = new Error("ENOSPC: no space left on device");
  const told = frames(peer).find((each) => each?.t === "out");
  peer.socket.send(JSON.stringify({ t: "out-ack", seq: told?.t === "out" ? told.seq : 0 }));
  const said = () => lines.filter((each) => each.includes("ENOSPC")).length;
  await expect.poll(async () => (await beat(), said())).toBe(1);
  await beat();
  await beat();
  expect(said()).toBe(1);
  const before = notes.length;
  disk.flaw = undefined;
  await expect.poll(async () => (await beat(), notes.length)).toBeGreaterThan(before);
  expect(notes.at(-1)).toMatchObject({ state: "connected", outbox: { records: 0 } });
});

test("a connection that stood and ended is tried again within the server's window, and its name is kept", async () => {
  const server = await startControlServer(async (peer) => {
    await greet(peer, { welcome: { windowSeconds: 100 } });
    peer.socket.close(1012, "");
  });
  const { timers, notes, host } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => timers.running()).toEqual([50_000]);
  expect(notes.at(-1)).toMatchObject({ state: "waiting", nextTryAt: Date.UTC(2026, 0, 1) + 50_000 });
  await expect.poll(() => readdirSync(host.paths.networkState).includes("window.json")).toBe(true);
  expect(readFileSync(`${host.paths.networkState}/window.json`, "utf8")).toContain('"windowSeconds":100');
});

test("a goodbye is a pause of an hour at most, and the log says so", async () => {
  const bye = (retryAfter: number) =>
    startConnected(({ socket }) => socket.send(JSON.stringify({ t: "bye", code: "x\u001b", retryAfter })));
  const good = await bye(3_600);
  await expect.poll(() => good.timers.running()).toEqual([3_610_000]);
  expect(good.lines[1]).toMatch(/^not connected: bye: .* 3610 seconds$/);
  const bad = await bye(3_601);
  await expect.poll(() => bad.lines[1]).toMatch(/^not connected: frame\.malformed/);
});

test("a node that was revoked asks again between every ten minutes and every hour", async () => {
  const server = await startControlServer((peer) => peer.socket.close(4403, "hello.revoked"));
  const { timers, notes } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => timers.running()).toEqual([35 * 60_000]);
  await expect.poll(() => notes.at(-1)).toMatchObject({ state: "waiting", lastClose: { code: "hello.revoked" } });
});

test("a copied disk opens no connection at all", async () => {
  const server = await startControlServer(() => undefined);
  const { timers, notes, host } = await startAgentAt(server.url);
  host.setMachine("b");
  timers.end(firstMs);
  await expect.poll(() => notes.at(-1)).toMatchObject({ state: "waiting", lastClose: { code: "identity.cloned" } });
  expect(timers.running()).toEqual([35 * 60_000]);
  expect(server.peers).toEqual([]);
});

test("without its helper an agent does not speak, and says why", async () => {
  const server = await startControlServer(() => undefined);
  const { timers, lines, helper } = await startAgentAt(server.url);
  helper.served.close();
  await helper.served.done;
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual([expect.stringMatching(/^not connected: local\.unavailable/)]);
  expect(server.peers).toEqual([]);
});

test("facts are told again when they have changed, and not otherwise", async () => {
  const { peer, timers, helper } = await startConnected();
  const told = () => frames(peer).flatMap((each) => (each?.t === "facts" ? [each.addresses] : []));
  await expect.poll(told).toEqual([["192.0.2.1"]]);
  helper.clock.advance(factsMs);
  expect(timers.end(factsMs)).toBe(1);
  await expect.poll(() => readHelperCounters(helper.deps).facts).toBe(2);
  Object.assign(helper.deps, { readAddresses: () => ["192.0.2.2"] });
  expect(timers.end(factsMs)).toBe(1);
  await expect.poll(() => told().at(-1)).toEqual(["192.0.2.2"]);
  expect(told()).toHaveLength(2);
});

const modes = (peer: Peer) =>
  frames(peer).flatMap((each) => {
    if (each?.t !== "facts") return [];
    const signed = splitSigned(decodeBase64url(each.signed) as Uint8Array, [64]);
    return [signed && readFacts(signed.framed)?.facts.mode];
  });

test("another ceiling is told with the next beat", async () => {
  const { peer, timers, helper, host } = await startConnected();
  await expect.poll(() => modes(peer)).toEqual(["monitor"]);
  Object.assign(helper.deps, { readCeiling: () => ({ level: "managed" }) });
  writeFileSync(host.paths.ceiling, "{}");
  expect(timers.end(beatMs)).toBe(1);
  await expect.poll(() => modes(peer)).toEqual(["monitor", "managed"]);
});

test("another trust file is told with the next beat", async () => {
  const { peer, timers, host } = await startConnected();
  const told = () =>
    frames(peer).flatMap((each) => {
      const signed = each?.t === "facts" && splitSigned(decodeBase64url(each.signed) as Uint8Array, [64]);
      return signed ? [readFacts(signed.framed)?.trustDigest.toHex()] : [];
    });
  await expect.poll(told).toEqual([""]);
  const trust = firstTrust([{ name: "ada", keys: [{ blob: makeApproverKey(1).blob }] }]);
  await putTrust(host, trust);
  expect(timers.end(beatMs)).toBe(1);
  await expect.poll(told).toEqual(["", trustDigest(trust)]);
});

test("a helper that did not answer then is asked again with the beat after, and that is said once", async () => {
  const { peer, timers, helper, host, lines } = await startConnected();
  await expect.poll(() => modes(peer)).toEqual(["monitor"]);
  const beats = () => frames(peer).filter((each) => each?.t === "beat").length;
  let asked = 0;
  const readCeiling = () => {
    asked += 1;
    if (asked <= 2) throw fault("local.unavailable", "it is being ended");
    return { level: "managed" };
  };
  Object.assign(helper.deps, { readCeiling });
  writeFileSync(host.paths.ceiling, "{}");
  const beat = async () => {
    const before = beats();
    await expect.poll(() => timers.end(beatMs) + timers.end(10_000)).toBeGreaterThan(0);
    await expect.poll(beats).toBeGreaterThan(before);
    peer.socket.send(JSON.stringify({ t: "beat-ack", seq: beats() }));
  };
  // A beat that comes while the helper is still at it asks nothing.
  await expect.poll(async () => (await beat(), modes(peer))).toEqual(["monitor", "managed"]);
  expect(asked).toBeGreaterThan(2);
  expect(lines.filter((each) => each.includes("was not told about this host"))).toHaveLength(1);
});

test("an agent that is told to stop says goodbye", async () => {
  const { peer, stop, done, notes, timers } = await startConnected();
  stop.abort();
  await done;
  await peer.closed;
  expect(frames(peer).at(-1)).toEqual({ t: "bye", code: "agent.stopping" });
  expect(notes.at(-1)).toMatchObject({ state: "stopped", connectedAt: null, nextTryAt: null });
  expect(timers.running()).toEqual([]);
});

test("a host that is not enrolled ends the program in place of trying", async () => {
  const { host, stop, done } = await startAgentAt("http://127.0.0.1:9");
  stop.abort();
  await done;
  rmSync(host.paths.server);
  const run = openRunAgent({ user: host.owner } as never);
  await expect(run({ paths: host.paths } as never)).rejects.toThrow(/^host\.not_enrolled/);
});
