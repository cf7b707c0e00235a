import { setImmediate as turn } from "node:timers/promises";
import { manualClock } from "@gatehouse/base";
import { fault, metricNames } from "@gatehouse/contract";
import { alertKind } from "@gatehouse/contract/records";
import { type Decide, openDecide, put } from "@gatehouse/store/decide";
import { memoryStore } from "@gatehouse/store/far";
import { expect, test } from "vitest";
import { seedFleet } from "../../../../../tests/support/seed-fleet.ts";
import { openLog } from "../../platform/log/index.ts";
import { openAlerts } from "./index.ts";

const minute = 60_000;
const everyNode = { isEvery: true, has: () => true };

async function open(nodes: number) {
  const clock = manualClock();
  const store = memoryStore();
  const fleet = await seedFleet(store, { nodes, seed: 1, now: clock.now() });
  const seen = new Map<string, "online" | "offline">();
  const looks: (() => void)[] = [];
  const lines: string[] = [];
  const good = openDecide(store);
  let isFull = false;
  const decide: Decide = (turns, make) =>
    isFull ? Promise.reject(fault("store.disk_full", "no room")) : good(turns, make);
  const alerts = openAlerts({
    store,
    decide,
    clock,
    log: openLog({ format: "text", write: (line) => lines.push(line) }),
    every: (_, act) => {
      looks.push(act);
      return () => undefined;
    },
    later: () => Promise.resolve(),
    requireRights: () => Promise.resolve(),
    seen: (node) => ({ state: seen.get(node) ?? "online", since: clock.now() - 60 * minute }),
  });
  const measure = (node: string, disk: number) => {
    clock.advance(minute);
    const values = metricNames.map((name) => (name === "disk" ? disk : 1));
    alerts.take(node, [{ at: clock.now() - minute, values }]);
  };
  const look = async () => {
    for (const act of looks) act();
    await turn();
    await turn();
  };
  const alive = fleet.filter(({ revokedAt }) => revokedAt === undefined).map(({ id }) => id);
  return {
    store,
    alerts,
    alive,
    lines,
    seen,
    measure,
    look,
    fillDisk: (full: boolean) => {
      isFull = full;
    },
  };
}

test("what could not be kept because the server's disk is full is kept when there is room, as it was", async () => {
  const { alerts, alive, measure, look, fillDisk, lines } = await open(10);
  const [node = ""] = alive;
  for (const value of [91, 92, 93, 94]) {
    measure(node, value);
    await look();
  }
  fillDisk(true);
  measure(node, 95);
  await look();
  expect(await alerts.list(everyNode)).toEqual([]);
  expect(lines.filter((line) => line.includes("was not kept"))).toHaveLength(1);
  fillDisk(false);
  await look();
  expect(await alerts.list(everyNode)).toMatchObject([{ rule: "disk", node, value: 95 }]);
  fillDisk(true);
  measure(node, 1);
  measure(node, 1);
  await look();
  expect(await alerts.open()).toBe(1);
  fillDisk(false);
  await look();
  expect(await alerts.open()).toBe(0);
});

test("an outage of hundreds of hosts is a handful of commits, not one for each", async () => {
  const { store, alerts, alive, seen, look } = await open(500);
  const before = (await store.head()).position;
  for (const node of alive) seen.set(node, "offline");
  await look();
  expect(await alerts.open()).toBe(alive.length);
  expect((await store.head()).position - before).toBeLessThanOrEqual(Math.ceil(alive.length / 60));
  for (const node of alive) seen.set(node, "online");
  await look();
  expect(await alerts.open()).toBe(0);
});

test("what nobody looks after comes first in the list, the oldest before the newer", async () => {
  const { store, alerts, alive, measure, look, seen } = await open(10);
  const [full = "", away = "", later = ""] = alive;
  for (let n = 0; n < 5; n += 1) measure(full, 99);
  seen.set(away, "offline");
  await look();
  const [oldest] = await alerts.list(everyNode);
  expect(oldest?.node).toBe(away);
  const found = await store.get(alertKind.key(oldest?.id ?? ""));
  if (found === undefined) throw new Error("the alert is gone");
  const acknowledged = { by: "usr_a", name: "ada", at: 1, note: null };
  const detail = { alert: found.value.id, rule: "offline", node: away, name: "a" };
  await store.commit({ at: 1, actor: "usr_a", action: "alert.acknowledged", subject: found.key.text, detail }, [
    put(found, { ...found.value, acknowledged }),
  ]);
  seen.set(later, "offline");
  await look();
  expect((await alerts.list(everyNode)).map(({ node }) => node)).toEqual([later, full, away]);
});
