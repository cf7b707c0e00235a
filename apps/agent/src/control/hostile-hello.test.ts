import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { challengeFrame, channelLimits } from "@gatehouse/channel";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { expect, onTestFinished, test } from "vitest";
import {
  greet,
  honestChallenge,
  type Peer,
  readHello,
  startControlServer,
  welcomeTo,
} from "../../test/fake-control-server.ts";
import { firstMs, startAgentAt } from "../../test/running-agent.ts";

const otherKey = importPrivateKey(new Uint8Array(32).fill(9));

const refusals: [string, (peer: Peer) => unknown, string, number][] = [
  [
    "has another key",
    (peer) => peer.socket.send(challengeFrame({ ...honestChallenge, server: publicKeyBytes(otherKey) })),
    "hello.server_key",
    0,
  ],
  ["cannot sign", (peer) => greet(peer, { key: otherKey }), "hello.server_signature", 1],
  [
    "plays a welcome for another hello",
    async (peer) => {
      peer.socket.send(challengeFrame(honestChallenge));
      await readHello(peer);
      peer.socket.send(welcomeTo(new Uint8Array(10)));
    },
    "hello.server_signature",
    1,
  ],
  [
    "speaks only versions that this agent does not have",
    (peer) => peer.socket.send(challengeFrame({ ...honestChallenge, versions: { min: 2, max: 9 } })),
    "hello.version",
    0,
  ],
  ["sends a text before the challenge", (peer) => peer.socket.send('{"t":"beat-ack","seq":1}'), "frame.illegal_now", 0],
  [
    "sends a task before the welcome",
    async (peer) => {
      peer.socket.send(challengeFrame(honestChallenge));
      await readHello(peer);
      peer.socket.send('{"t":"task"}');
    },
    "frame.illegal_now",
    1,
  ],
  [
    "asks twice",
    async (peer) => {
      peer.socket.send(challengeFrame(honestChallenge));
      await readHello(peer);
      peer.socket.send(challengeFrame(honestChallenge));
    },
    "hello.order",
    1,
  ],
  ["begins with a welcome", (peer) => peer.socket.send(welcomeTo(new Uint8Array(10))), "hello.order", 0],
  ["begins with rubbish", (peer) => peer.socket.send(new Uint8Array(100)), "hello.malformed", 0],
  [
    "begins with more than a message of the hello",
    (peer) => peer.socket.send(new Uint8Array(channelLimits.helloBytes + 1)),
    "hello.malformed",
    0,
  ],
  ["wants a beat of 0", (peer) => greet(peer, { welcome: { beatSeconds: 0 } }), "hello.malformed", 1],
  ["wants a window of 10^9", (peer) => greet(peer, { welcome: { windowSeconds: 10 ** 9 } }), "hello.malformed", 1],
  ["adds a field to its welcome", (peer) => greet(peer, { welcome: { ceiling: {} } }), "hello.malformed", 1],
  ["acknowledges what was never sent", (peer) => greet(peer, { welcome: { acked: 2 } }), "hello.malformed", 1],
];

test.each(refusals)("a server that %s is refused by name, and logged", async (_, serve, code, sent) => {
  const server = await startControlServer(serve);
  const { timers, lines, notes } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual([expect.stringMatching(new RegExp(`^not connected: ${code}: `))]);
  const [peer] = server.peers as [Peer];
  expect((await peer.closed).reason).toBe(code);
  expect(peer.received).toHaveLength(sent);
  await expect.poll(() => notes.at(-1)).toMatchObject({ state: "waiting", lastClose: { code } });
  expect(timers.running()).toEqual([1_000]);
});

test("a server that stalls after the challenge is left after ten seconds", async () => {
  const server = await startControlServer((peer) => peer.socket.send(challengeFrame(honestChallenge)));
  const { timers, lines } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => server.peers[0]?.received.length).toBe(1);
  expect(timers.end(channelLimits.helloMs)).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^not connected: hello\.timeout/)]);
});

test("a server whose clock is ten years ahead is taken, and the difference is said", async () => {
  const server = await startControlServer((peer) => greet(peer, { welcome: { serverTime: Date.UTC(2036, 0, 1) } }));
  const { timers, lines } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual(["connected", expect.stringMatching(/^the server's clock is 315532800 seco/)]);
});

test("an extension is no part of the protocol", async () => {
  const server = await startControlServer((peer) => greet(peer), { deflate: true });
  const { timers, lines } = await startAgentAt(server.url);
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual([expect.stringMatching(/^not connected: hello\.order/)]);
});

test.each([
  [301, "hello.redirect"],
  [307, "hello.redirect"],
  [503, "unreachable"],
])("a server that answers %i in place of a connection is told apart: %s", async (status, code) => {
  let asked = 0;
  const http = createServer((_, response) => {
    asked += 1;
    response.writeHead(status, { location: "http://127.0.0.1:9/" }).end();
  });
  http.on("upgrade", (_, socket) => {
    asked += 1;
    socket.end(`HTTP/1.1 ${status} X\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.close());
  const { timers, lines } = await startAgentAt(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  timers.end(firstMs);
  await expect.poll(() => lines).toEqual([expect.stringMatching(new RegExp(`^not connected: ${code}: `))]);
  expect(asked).toBe(2);
});
