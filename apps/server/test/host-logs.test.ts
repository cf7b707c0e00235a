import type { FrameOf } from "@gatehouse/channel";
import type { HostLogCounts, HostLogLine } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { startAuthServer, tokenVisitor } from "./auth-server.ts";
import { connectPretend, enrolPretend, type PretendAgent } from "./pretend-agent.ts";
import type { Visitor } from "./visitor.ts";

interface Answer {
  readonly items: HostLogLine[];
  readonly nextCursor: string | null;
  readonly position: string;
}

async function start() {
  const server = await startAuthServer({ withoutRates: true });
  const owner = await server.visitor().signIn();
  const host = await enrolPretend(server, owner, new PretendHost());
  return { server, owner, host };
}

/** An agent that sends logs, and where the server has them. */
async function connectSender(server: Parameters<typeof connectPretend>[0], host: PretendHost) {
  const agent = await connectPretend(server, host, undefined, ["logs"]);
  const wanted = (await agent.nextFrame()) as FrameOf<"want-logs">;
  expect(wanted.t).toBe("want-logs");
  return { agent, wanted };
}

const sources = ["nginx.service", "/var/log/app.log"];
type Sent = Partial<FrameOf<"logs">>;
const messageOf = (seq: number, at: number, texts: readonly string[], more: Sent = {}): FrameOf<"logs"> => ({
  t: "logs",
  seq,
  at,
  sources,
  lines: texts.map((text, n) => ({ s: 0, at: at - texts.length + n, level: 6, text })),
  dropped: [],
  checkpoint: `{"after":${seq}}`,
  ...more,
});

async function send(agent: PretendAgent, frame: FrameOf<"logs">): Promise<FrameOf<"logs-ack">> {
  agent.send(frame);
  return (await agent.nextFrame()) as FrameOf<"logs-ack">;
}

async function search(visitor: Visitor, query = ""): Promise<Answer> {
  const answer = await visitor.call<Answer>("GET", `/api/logs${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}
const textsOf = ({ items }: Answer) => items.map(({ text }) => text);

test("lines of a host are kept before they are acknowledged, and found newest first", async () => {
  const { server, owner, host } = await start();
  const { agent, wanted } = await connectSender(server, host);
  expect(wanted).toEqual({ t: "want-logs", checkpoint: null, linesPerSecond: 200, behindSeconds: 300 });
  const now = server.clock.now();
  expect(await send(agent, messageOf(1, now, ["GET / 200", "upstream timed out"]))).toEqual({
    t: "logs-ack",
    seq: 1,
    kept: true,
    pauseMs: 0,
  });
  const found = await search(owner);
  expect(textsOf(found)).toEqual(["upstream timed out", "GET / 200"]);
  expect(found.items[0]).toMatchObject({ node: host.nodeId, source: "nginx.service", level: "info", dropped: null });
  expect(textsOf(await search(owner, `?q=${encodeURIComponent('"timed out"')}`))).toEqual(["upstream timed out"]);
  expect(textsOf(await search(owner, "?level=error"))).toEqual([]);
});

test("a host goes on from what was kept last, over connections", async () => {
  const { server, host } = await start();
  const first = await connectSender(server, host);
  await send(first.agent, messageOf(1, server.clock.now(), ["one"]));
  await send(first.agent, messageOf(2, server.clock.now(), ["two"]));
  const again = await connectSender(server, host);
  expect(again.wanted.checkpoint).toBe('{"after":2}');
});

test("what was left out on the host stands in its place, and is counted", async () => {
  const { server, owner, host } = await start();
  const { agent } = await connectSender(server, host);
  const now = server.clock.now();
  const dropped = [{ s: 1, lines: 4_120, from: now - 9_000, to: now - 1_000 }];
  await send(agent, messageOf(1, now, ["after it"], { dropped }));
  const { items } = await search(owner);
  expect(items.find((line) => line.dropped !== null)).toMatchObject({
    source: "/var/log/app.log",
    dropped: { lines: 4_120, from: new Date(now - 9_000).toISOString() },
  });
  const counts = await owner.call<HostLogCounts>("GET", "/api/logs/counts");
  const sum = counts.body.bars.reduce(
    (all, bar) => ({ info: all.info + bar.info, dropped: all.dropped + bar.dropped }),
    {
      info: 0,
      dropped: 0,
    },
  );
  expect(sum).toEqual({ info: 1, dropped: 4_120 });
  expect(counts.body.byNode).toEqual([{ node: host.nodeId, lines: 1 }]);
});

test("following shows what arrives behind a line, the nearest first", async () => {
  const { server, owner, host } = await start();
  const { agent } = await connectSender(server, host);
  await send(agent, messageOf(1, server.clock.now(), ["old"]));
  const { position: seen } = await search(owner, "?q=nothing");
  await send(agent, messageOf(2, server.clock.now(), ["new 1", "new 2", "new 3"]));
  expect(textsOf(await search(owner, `?after=${seen}`))).toEqual(["new 3", "new 2", "new 1"]);
  expect(textsOf(await search(owner, `?after=${seen}&limit=2`))).toEqual(["new 2", "new 1"]);
  const cut = await search(owner, `?after=${seen}&limit=2`);
  expect(textsOf(await search(owner, `?after=${cut.position}`))).toEqual(["new 3"]);
  const page = await search(owner, "?limit=3");
  expect(textsOf(await search(owner, `?limit=3&cursor=${page.nextCursor}`))).toEqual(["old"]);
});

test("times are the host's, set right by how far its clock is off, and never in the future", async () => {
  const { server, owner, host } = await start();
  const { agent } = await connectSender(server, host);
  const now = server.clock.now();
  const hostTime = now + 3_600_000;
  await send(
    agent,
    messageOf(1, hostTime, ["late"], { lines: [{ s: 0, at: hostTime - 74_000, level: 3, text: "late" }] }),
  );
  await send(
    agent,
    messageOf(2, hostTime, ["odd"], { lines: [{ s: 0, at: hostTime + 99_000, level: 3, text: "odd" }] }),
  );
  const { items } = await search(owner);
  expect(items.map(({ at }) => Date.parse(at) - now)).toEqual([0, -74_000]);
});

test("what a hostile host sends is shown by signs: nothing in it moves a cursor or hides", async () => {
  const { server, owner, host } = await start();
  const { agent } = await connectSender(server, host);
  const hostile = "a\u{1b}]52;c;AAAA\u{7}b\u{202e}c\u{9b}31md\n";
  await send(agent, messageOf(1, server.clock.now(), [hostile]));
  const [line] = (await search(owner)).items;
  expect(line?.text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(line?.text).toMatch(/^a.+b.c.+d/);
});

test("a message before the last one was acknowledged, an old number and a source that is none or has no name of one end the connection", async () => {
  const { server, host } = await start();
  const now = server.clock.now();
  const cases: [string, FrameOf<"logs">[]][] = [
    ["frame.rate", [messageOf(1, now, ["a"]), messageOf(2, now, ["b"])]],
    ["frame.malformed", [messageOf(1, now, ["a"], { lines: [{ s: 2, at: now, level: null, text: "a" }] })]],
    ["frame.malformed", [messageOf(1, now, ["a"], { sources: ["x\u{1b}[31m.service"] })]],
    ["frame.malformed", [messageOf(1, now, ["a"], { sources: ["a.service,b.service"] })]],
  ];
  for (const [code, frames] of cases) {
    const { agent } = await connectSender(server, host);
    for (const frame of frames) agent.send(frame);
    expect((await agent.closed).reason).toBe(code);
  }
  const { agent } = await connectSender(server, host);
  await send(agent, messageOf(5, now, ["a"]));
  agent.send(messageOf(5, now, ["a"]));
  expect((await agent.closed).reason).toBe("frame.malformed");
});

test("a host that did not say that it sends logs is asked for none, and may send none", async () => {
  const { server, host } = await start();
  const agent = await connectPretend(server, host);
  agent.send({ t: "beat", seq: 1, at: server.clock.now(), values: [] });
  expect((await agent.nextFrame())?.t).toBe("beat-ack");
  agent.send(messageOf(1, server.clock.now(), ["a"]));
  expect((await agent.closed).reason).toBe("frame.unknown");
});

test("a credential that is limited to other nodes finds no line of it, whatever it asks for", async () => {
  const { server, owner, host } = await start();
  const other = await enrolPretend(server, owner, new PretendHost());
  for (const one of [host, other]) {
    const { agent } = await connectSender(server, one);
    await send(agent, messageOf(1, server.clock.now(), [`of ${one.nodeId}`]));
  }
  const { visitor } = await tokenVisitor(server, owner, { scopes: ["log:read"], nodes: [other.nodeId] });
  for (const query of ["", `?node=${host.nodeId}`, `?node=${host.nodeId},${other.nodeId}`, "?q=of", "?after=0"]) {
    expect(textsOf(await search(visitor, query)).filter((text) => text.includes(host.nodeId))).toEqual([]);
  }
  expect(textsOf(await search(visitor))).toEqual([`of ${other.nodeId}`]);
  const counts = await visitor.call<HostLogCounts>("GET", "/api/logs/counts");
  expect(counts.body.byNode).toEqual([{ node: other.nodeId, lines: 1 }]);
});
