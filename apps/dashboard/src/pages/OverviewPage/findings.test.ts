import type { AuditWitnessView } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { samplePlan } from "../../widgets/Plans/sample-plan.ts";
import { endedBadly, linksOf, otherLog } from "./findings.ts";

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const done = (ended: NonNullable<Parameters<typeof endedBadly>[0]["ended"]>, hours = 1) =>
  endedBadly(samplePlan({ state: "done", stateAt: hoursAgo(hours), ended }));

test("a plan that left hosts neither as before nor as planned is broken for a week, and leads to those hosts", () => {
  expect(done({ failed_after_change: 2, rolled_back: 1 }, 6 * 24)).toMatchObject([
    {
      state: "bad",
      line: "2 hosts are neither as before nor as planned: look there now.",
      href: expect.stringMatching(/\?task=failed_after_change$/),
    },
  ]);
  expect(done({ failed_after_change: 2 }, 8 * 24)).toEqual([]);
});

test("a plan that hosts took back is told for a day", () => {
  expect(done({ applied: 3, rolled_back: 1 })).toMatchObject([
    {
      state: "back",
      line: "1 host is as before: the change was taken back.",
      href: expect.stringMatching(/\?task=rolled_back$/),
    },
  ]);
  expect(done({ rolled_back: 1 }, 25)).toEqual([]);
});

test("a plan that went well, or has not ended, is not broken", () => {
  expect(done({ applied: 3, refused: 1 })).toEqual([]);
  expect(endedBadly(samplePlan({ state: "running", stateAt: hoursAgo(0) }))).toEqual([]);
});

test("what is broken leads to the lists in which it stands, each once and no other", () => {
  const hrefs = [
    "/plans/plan_1?task=rolled_back",
    "/nodes/node_1",
    "/nodes/node_2",
    "/plugins?state=rejected#rejected-a",
  ];
  expect(linksOf(hrefs.map((href) => ({ href }))).map(({ href }) => href)).toEqual([
    "/plans?state=done",
    "/nodes?state=offline",
    "/plugins",
  ]);
  expect(linksOf([{ href: "/audit" }]).map(({ label }) => label)).toEqual(["The audit log"]);
  expect(linksOf([])).toEqual([]);
});

test("a log that hosts refuse is told with the first of them, and leads to the page that says what to do", () => {
  const at = hoursAgo(1);
  const first: AuditWitnessView = {
    node: `node_${"0".repeat(26)}`,
    name: "lhr2-cache-11",
    state: "refuses",
    n: 12,
    position: 48_209,
    link: "ab".repeat(32),
    at,
    toldAt: at,
    code: "witness.regressed",
    since: at,
    detail: "the log ends 9 entries before it",
  };
  expect(otherLog({ first, hosts: [first, first], isCut: false })).toMatchObject([
    {
      title: "The audit log is not the one that lhr2-cache-11 saw",
      line: "The log ends 9 entries before it. 1 more refuses it too. Approve nothing because of what the log says.",
      href: "/audit",
    },
  ]);
  expect(otherLog(undefined)).toEqual([]);
});
