import { readdirSync, readFileSync, statSync } from "node:fs";
import { channelLimits, controlFrames } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { greet, type Peer, startControlServer } from "../../test/fake-control-server.ts";
import { firstMs, startAgentAt, startConnected } from "../../test/running-agent.ts";

const hostile: [string, (peer: Peer) => unknown, string][] = [
  ["a type that nobody knows", ({ socket }) => socket.send('{"t":"statement"}'), "frame.unknown"],
  ["a change without its fields", ({ socket }) => socket.send('{"t":"task"}'), "frame.malformed"],
  ["a question about nothing", ({ socket }) => socket.send('{"t":"want-state"}'), "frame.malformed"],
  [
    "a type that only agents send",
    ({ socket }) => socket.send('{"t":"out","seq":1,"kind":"event","body":1}'),
    "frame.unknown",
  ],
  [
    "word that a change is taken",
    ({ socket }) => socket.send(`{"t":"task-taken","task":"task_${"0".repeat(26)}"}`),
    "frame.unknown",
  ],
  [
    "a step, though its name may be ignored",
    ({ socket }) => socket.send(`{"t":"~step","task":"task_${"0".repeat(26)}","state":"armed","at":1}`),
    "frame.unknown",
  ],
  ["a wake that was not offered", ({ socket }) => socket.send('{"t":"wake","session":"","grant":""}'), "frame.unknown"],
  ["a key twice", ({ socket }) => socket.send('{"t":"beat-ack","seq":0,"seq":0}'), "frame.malformed"],
  ["a key that reaches a prototype", ({ socket }) => socket.send('{"__proto__":1,"t":"beat-ack"}'), "frame.malformed"],
  ["a number above 2^53", ({ socket }) => socket.send('{"t":"beat-ack","seq":9007199254740993}'), "frame.malformed"],
  ["half a character", ({ socket }) => socket.send('{"t":"bye","code":"\\ud800"}'), "frame.malformed"],
  ["depth without end", ({ socket }) => socket.send("[".repeat(60_000)), "frame.malformed"],
  ["a byte too many", ({ socket }) => socket.send('{"t":"out-ack","seq":0}'.padEnd(129)), "frame.too_large"],
  ["more than any frame", ({ socket }) => socket.send(" ".repeat(channelLimits.frameBytes + 1)), "frame.too_large"],
  ["bytes that nobody asked for", ({ socket }) => socket.send(new Uint8Array(20)), "frame.malformed"],
  ["an acknowledgement of beats to come", ({ socket }) => socket.send('{"t":"beat-ack","seq":1}'), "frame.malformed"],
  ["an acknowledgement beyond the outbox", ({ socket }) => socket.send('{"t":"out-ack","seq":2}'), "frame.malformed"],
  [
    "what may be ignored, without end",
    ({ socket }) => {
      for (let count = 0; count <= channelLimits.framesPerSecond; count += 1) socket.send('{"t":"~later"}');
    },
    "frame.rate",
  ],
];

test.each(hostile)("after the welcome %s ends the connection by name", async (_, send, code) => {
  const { lines, peer } = await startConnected(send);
  await expect.poll(() => lines[1]).toMatch(new RegExp(`^not connected: ${code}: `));
  expect((await peer.closed).reason).toBe(code);
});

/** Everything that stands on the host, but what the agent itself keeps. */
function hostState(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((each) =>
    statSync(`${root}/${each}`).isFile(),
  );
  const own = ["var/lib/gatehouse/counters", "var/lib/private/gatehouse-agent/outbox/"];
  const outside = files.filter((each) => !own.some((start) => each.startsWith(start)));
  return Object.fromEntries(outside.sort().map((each) => [each, readFileSync(`${root}/${each}`, "utf8")]));
}

const anyFrame: (string | Uint8Array)[] = [
  ...Object.keys(controlFrames).flatMap((t) => [
    JSON.stringify({ t }),
    JSON.stringify({ t, seq: 0, at: 0, values: [], signed: "", code: "x", session: "", grant: "", body: {} }),
  ]),
  ...[
    "task",
    "trust",
    "statement",
    "want-state",
    "want-log",
    "out-rewind",
    "checked",
    "settle",
    "head",
    "pull-end",
  ].map((t) => JSON.stringify({ t, path: "/etc/passwd", body: { ceiling: { level: "managed" } } })),
  "",
  "rubbish",
  "{}",
  new Uint8Array(0),
  new Uint8Array(1_000).fill(255),
];

test.each(["before", "after"] as const)(
  "whatever a server sends %s its welcome, no file of the host changes",
  async (when) => {
    let sent = 0;
    const server = await startControlServer(async (peer) => {
      if (when === "after") await greet(peer);
      peer.socket.send(anyFrame[sent % anyFrame.length] as string);
      sent += 1;
      if (peer.socket.readyState === peer.socket.OPEN) setImmediate(() => peer.socket.close(1000));
    });
    const { host, timers, lines } = await startAgentAt(server.url);
    const untouched = hostState(host.root);
    timers.end(firstMs);
    const refused = () => lines.filter((each) => each.startsWith("not connected")).length;
    for (let count = 1; count <= anyFrame.length; count += 1) {
      await expect.poll(refused, { interval: 2 }).toBe(count);
      expect(timers.endWhere(() => true)).toBe(1);
    }
    await expect.poll(() => sent).toBeGreaterThan(anyFrame.length);
    expect(hostState(host.root)).toEqual(untouched);
  },
);
