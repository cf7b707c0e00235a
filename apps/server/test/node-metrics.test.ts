import { metricLimits, metricNames } from "@gatehouse/contract";
import type { NodeMetrics } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { startAuthServer, tokenVisitor } from "./auth-server.ts";
import { connectPretend, enrolPretend, type PretendAgent } from "./pretend-agent.ts";
import type { Visitor } from "./visitor.ts";

const minute = metricLimits.minuteMs;
const gigabyte = 1024 ** 3;

async function start() {
  const server = await startAuthServer({ withoutRates: true });
  const owner = await server.visitor().signIn();
  const host = await enrolPretend(server, owner, new PretendHost());
  return { server, owner, host };
}

/** A processor in use by so much, on a host of four cores that has been up for so long. */
const values = (cpu: number | null, uptime = 7_200) => [
  cpu,
  0.5,
  40,
  16 * gigabyte,
  41,
  80 * gigabyte,
  1_000,
  2_000,
  uptime,
  4,
];

/** Sends minutes, and a beat behind them: when that is acknowledged, they are taken. */
async function measure(agent: PretendAgent, at: number, minutes: readonly { at: number; values: (number | null)[] }[]) {
  agent.send({ t: "~minutes", at, minutes: [...minutes] });
  agent.send({ t: "beat", seq: 1, at, values: [] });
  await agent.nextFrame();
}

async function read(visitor: Visitor, id: string, query = ""): Promise<NodeMetrics> {
  const answer = await visitor.call<NodeMetrics>("GET", `/api/nodes/${id}/metrics${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

test("what a host measures is shown from the moment it came, with gaps where nothing was measured", async () => {
  const { server, owner, host } = await start();
  const agent = await connectPretend(server, host);
  const now = server.clock.now();
  const last = Math.floor(now / minute) * minute - minute;
  await measure(agent, now, [
    { at: last - 2 * minute, values: values(20) },
    { at: last, values: values(30) },
  ]);
  const shown = await read(owner, host.nodeId);
  expect(shown).toMatchObject({ node: host.nodeId, stepSeconds: 60, minutes: 2, restarts: [] });
  const n = (last - Date.parse(shown.from)) / minute;
  expect(shown.curves.cpu.mean.slice(n - 3, n + 1)).toEqual([null, 20, null, 30]);
  expect(shown.curves.netOut.most[n]).toBeCloseTo(2_000, -2);
  expect(shown.latest).toMatchObject({
    at: new Date(last).toISOString(),
    cpu: 30,
    memory: 40,
    memoryTotal: 16 * gigabyte,
    cores: 4,
  });
});

test("a longer stretch is shown in longer points, with the least and the most of each", async () => {
  const { server, owner, host } = await start();
  const agent = await connectPretend(server, host);
  const now = server.clock.now();
  const from = Math.floor(now / 3_600_000) * 3_600_000 - 2 * 3_600_000;
  const minutes = [10, 90, 50].map((cpu, n) => ({ at: from + n * minute, values: values(cpu) }));
  await measure(agent, now, minutes);
  const shown = await read(
    owner,
    host.nodeId,
    `?from=${new Date(from).toISOString()}&to=${new Date(now).toISOString()}&points=30`,
  );
  expect(shown).toMatchObject({ from: new Date(from).toISOString(), minutes: 3 });
  expect(shown.stepSeconds).toBeGreaterThanOrEqual(300);
  expect([shown.curves.cpu.least[0], shown.curves.cpu.mean[0], shown.curves.cpu.most[0]]).toEqual([10, 50, 90]);
});

test("a host that was down and came up again is marked where it did", async () => {
  const { server, owner, host } = await start();
  const agent = await connectPretend(server, host);
  const now = server.clock.now();
  const last = Math.floor(now / minute) * minute - minute;
  await measure(agent, now, [
    { at: last - 3 * minute, values: values(1, 86_400) },
    { at: last - minute, values: values(1, 45) },
    { at: last, values: values(1, 105) },
  ]);
  expect((await read(owner, host.nodeId)).restarts).toEqual([new Date(last - minute).toISOString()]);
});

test("a minute that comes twice counts once, and one of another host is not seen", async () => {
  const { server, owner, host } = await start();
  const other = await enrolPretend(server, owner, new PretendHost());
  const agent = await connectPretend(server, host);
  const now = server.clock.now();
  const last = Math.floor(now / minute) * minute - minute;
  for (const cpu of [10, 11]) await measure(agent, now, [{ at: last, values: values(cpu) }]);
  const shown = await read(owner, host.nodeId);
  expect([shown.minutes, shown.latest?.cpu]).toEqual([1, 11]);
  expect(await read(owner, other.nodeId)).toMatchObject({ minutes: 0, latest: null });
});

test("a host that sends more minutes than it can have measured is cut", async () => {
  const { server, host } = await start();
  const agent = await connectPretend(server, host);
  const now = server.clock.now();
  const full = Array.from({ length: metricLimits.sentMinutes }, (_, n) => ({
    at: now - n * minute,
    values: values(1),
  }));
  for (let sent = 0; sent <= metricLimits.takenPerMinute; sent += full.length) {
    agent.send({ t: "~minutes", at: now, minutes: full });
  }
  expect((await agent.closed).reason).toBe("frame.rate");
});

test("values beside the table are cut to it, and names of metrics are those of the contract", async () => {
  const { server, owner, host } = await start();
  const agent = await connectPretend(server, host);
  const now = server.clock.now();
  await measure(agent, now, [{ at: now - minute, values: [900, -1, ...Array.from({ length: 30 }, () => 7)] }]);
  const { latest } = await read(owner, host.nodeId);
  expect(latest).toMatchObject({ cpu: 100, load: null });
  expect(Object.keys(latest ?? {}).toSorted()).toEqual(["at", ...metricNames].toSorted());
});

test("a node that there is none of, a stretch that is none and too many points are refused", async () => {
  const { server, owner, host } = await start();
  const ask = async (id: string, query = "") => {
    const { body } = await owner.call<{ code?: string }>("GET", `/api/nodes/${id}/metrics${query}`);
    return body.code;
  };
  expect(await ask(`node_${"0".repeat(26)}`)).toBe("node.unknown");
  expect(await ask(host.nodeId, "?from=2030-01-01T00:00:00.000Z")).toBe("metrics.stretch");
  expect(await ask(host.nodeId, "?from=1999-01-01T00:00:00.000Z")).toBe("metrics.stretch");
  for (const points of ["1", "1441", "9999"])
    expect(await ask(host.nodeId, `?points=${points}`)).toBe("request.malformed");
  expect(server.port).toBeGreaterThan(0);
});

test("a credential that is limited to other nodes sees nothing of it", async () => {
  const { server, owner, host } = await start();
  const other = await enrolPretend(server, owner, new PretendHost());
  const { visitor: limited } = await tokenVisitor(server, owner, { scopes: ["node:read"], nodes: [other.nodeId] });
  const refused = await limited.call<{ code: string }>("GET", `/api/nodes/${host.nodeId}/metrics`);
  expect([refused.status, refused.body.code]).toEqual([403, "auth.node_limited"]);
  expect((await limited.call("GET", `/api/nodes/${other.nodeId}/metrics`)).status).toBe(200);
});
