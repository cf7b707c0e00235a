import { randomBytes } from "node:crypto";
import { metricNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { counts } from "./support/chance.ts";
import { newHost } from "./support/fleet.ts";
import { enter } from "./support/people.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Sigstore: a label for whatever a stranger wrote, until the memory of the server and of what scrapes it was full. */
const token = randomBytes(32).toString("hex");
const server = await sharedServer({ env: { SERVICE_METRICS_TOKEN: token, SERVICE_TRUST_PROXY: "1" } });
const { port } = server;
const marker = "gh89";

/** Every series, as name and labels; with those that the asking itself makes. */
async function seriesNow(): Promise<readonly string[]> {
  await readSeries();
  return readSeries();
}

async function readSeries(): Promise<readonly string[]> {
  const { status, body } = await send(port, { path: "/api/metrics", headers: [["Authorization", `Bearer ${token}`]] });
  expect(status).toBe(200);
  const lines = body
    .toString()
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => line.slice(0, line.lastIndexOf(" ")));
}

/** Of ours: Node has a series for each kind of thing that happens to be open. */
function newOf(after: readonly string[], before: readonly string[]): readonly string[] {
  return after.filter((one) => one.startsWith("gatehouse_") && !before.includes(one));
}

test("what strangers write into requests makes no series", async (context) => {
  const strangers = counts["89 strangers"];
  const ask = async (n: number) => {
    const text = `${marker}-${n}`;
    const tries = [
      { path: `/api/${text}` },
      { path: `/api/nodes/${text}` },
      { path: `/api/plans?cursor=${text}&${text}=1` },
      { path: `/${text}`, headers: [["User-Agent", text]] as const },
      { path: `/assets/${text}.js`, headers: [["X-Request-Id", text]] as const },
      { method: `GH${marker.toUpperCase()}${n}`, path: "/api/health" },
      { path: "/api/health", headers: [["Host", `${text}.example`]] as const },
      { path: "/api/health", headers: [["Authorization", `Bearer ${text}`]] as const },
      { path: "/api/health", headers: [["CF-Connecting-IP", `198.51.100.${n % 250}`]] as const },
    ];
    for (const one of tries) await send(port, one);
    return tries.length;
  };
  let asked = await ask(0);
  const before = await seriesNow();
  for (let n = 1; n <= strangers; n += 1) asked += await ask(n);
  const after = await seriesNow();
  expect(after.filter((one) => one.toLowerCase().includes(marker))).toEqual([]);
  expect(newOf(after, before)).toEqual([]);
  tried(context, `${count(asked, "requests")}, ${count(after.length, "series")}`);
});

test("what hosts say of themselves and measure makes no series, however many hosts there are", async (context) => {
  const owner = await enter(port);
  const hosts = counts["89 hosts"];
  const speak = async (n: number) => {
    const host = await newHost(port, owner, `${marker}-host-${n}`);
    const connection = await host.hello();
    await connection.sendFacts({ os: `${marker} ${n}`, kernel: `${marker}-${n}` });
    const at = Date.now();
    const values = [...metricNames.map((_, place) => n + place), ...Array.from({ length: 20 }, () => n)];
    connection.send({ t: "~minutes", at, minutes: [{ at, values }] });
    await connection.beat();
    return connection;
  };
  const first = await speak(0);
  const before = await seriesNow();
  const others = [];
  for (let n = 1; n <= hosts; n += 1) others.push(await speak(n));
  const after = await seriesNow();
  expect(after.filter((one) => one.includes(marker) || one.includes("node_"))).toEqual([]);
  expect(newOf(after, before)).toEqual([]);
  expect(after).toContain("gatehouse_metric_minutes_total");
  for (const one of [first, ...others]) await one.close();
  tried(context, `${count(hosts + 1, "hosts")}, ${count(after.length, "series")}`);
});
