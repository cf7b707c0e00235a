import type { WitnessCode } from "@gatehouse/contract";
import type { Alert } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import type { OverviewAsker, OverviewSource } from "../overview-source.ts";
import { alertSource } from "./alert-source.ts";
import { webhookSource } from "./webhook-source.ts";
import { witnessSource } from "./witness-source.ts";

const now = Date.UTC(2026, 10, 17, 3, 12);
const asker = { seen: { isEvery: true, has: () => true }, now } as unknown as OverviewAsker;

async function found(source: OverviewSource) {
  const findings = await source.read(asker);
  expect(findings.every(({ kind }) => source.kinds.includes(kind))).toBe(true);
  return findings.flatMap(({ items }) => items.map(({ title, line }) => `${title}. ${line}`));
}

const alert: Alert = {
  id: "alert_1",
  rule: "disk",
  name: "Disk",
  kind: "metric",
  node: "node_1",
  nodeName: "db-1",
  condition: "Disk over 90 % for 5 min",
  value: 94,
  threshold: 90,
  unit: "percent",
  since: new Date(now).toISOString(),
  openedAt: new Date(now).toISOString(),
  acknowledged: null,
  silencedUntil: null,
};

test.each([
  ["nobody looks after", alert, ["db-1: Disk over 90 % for 5 min. Nobody looks after it yet."]],
  [
    "somebody looks after",
    { ...alert, acknowledged: { by: "usr_ruth", name: "ruth", at: alert.since, note: null } },
    ["db-1: Disk over 90 % for 5 min. ruth looks after it."],
  ],
  ["somebody has silenced", { ...alert, silencedUntil: alert.since }, []],
  ["says that its host is offline, which stands there as such", { ...alert, kind: "offline" as const }, []],
])("an alert that %s", async (_, one, expected) => {
  expect(await found(alertSource({ list: () => Promise.resolve([one]) }))).toEqual(expected);
});

const refusing = (code: WitnessCode) => ({
  node: "node_1",
  name: "lhr2-cache-11",
  code,
  detail: "the log ends 9 entries before it",
  since: alert.since,
});

test("a host that saw another log is named with what it says; one that only cannot tell is not", async () => {
  const source = (code: WitnessCode) => witnessSource({ readRefusing: () => Promise.resolve([refusing(code)]) });
  expect(await found(source("witness.regressed"))).toEqual([
    "The audit log is not the one that lhr2-cache-11 saw. The log ends 9 entries before it. Approve nothing because of what the log says.",
  ]);
  expect(await found(source("witness.gap"))).toEqual([]);
});

test("a webhook that fails is named with the reason", async () => {
  const failing = { id: "webhook_1", name: "on call", since: now, reason: "the receiver answered 500" };
  expect(await found(webhookSource({ readFailing: () => Promise.resolve([failing]) }))).toEqual([
    "The webhook on call takes no notices. The receiver answered 500. What it is to be told waits, and is told later.",
  ]);
});
