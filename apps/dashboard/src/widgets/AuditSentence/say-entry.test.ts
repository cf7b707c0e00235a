import { auditActionNames } from "@gatehouse/contract";
import type { AuditEntryView } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { foldRepeats, sayEntry } from "./say-entry.ts";

const entry = (more: Partial<AuditEntryView>): AuditEntryView => ({
  position: 1,
  at: "2026-11-15T02:41:00.000Z",
  actor: "usr_ines",
  action: "plugin.installed",
  subject: "plugin/edge-firewall",
  outcome: "done",
  requestId: null,
  address: null,
  detail: { version: "2.4.0" },
  ...more,
});
const nameOf = (id: string): string => id;

test("an entry is a sentence whose object leads to its page", () => {
  expect(sayEntry(entry({}), nameOf)).toEqual({
    isOwn: false,
    verb: "accepted",
    object: "edge-firewall",
    rest: "2.4.0",
    place: { href: "/plugins/edge-firewall", scope: "plugin:admin" },
  });
});

test("a node is called by its name, and leads to its page", () => {
  const enrolled = entry({ action: "node.enrolled", subject: "node/node_1", detail: { name: "fra1-edge-03" } });
  expect(sayEntry(enrolled, nameOf)).toMatchObject({
    object: "fra1-edge-03",
    place: { href: "/nodes/node_1", scope: "node:read" },
  });
});

test("a plan is called by its title, and leads to its page", () => {
  const detail = { title: "Restart nginx.service on web-1", reason: "not tonight" };
  const rejected = entry({ action: "plan.rejected", subject: "plan/plan_1", detail });
  expect(sayEntry(rejected, nameOf)).toMatchObject({
    object: "Restart nginx.service on web-1",
    rest: "“not tonight”",
    place: { href: "/plans/plan_1", scope: "plan:read" },
  });
});

test("what a host answered to a plan names the host and leads to the plan", () => {
  const detail = { plan: "plan_1", digest: "", name: "web-1", state: "refused", code: "ceiling.unit" };
  const ended = entry({ actor: "node:node_1", action: "task.ended", subject: "node/node_1", detail });
  expect(sayEntry(ended, nameOf)).toMatchObject({
    object: "web-1",
    rest: "(ceiling.unit)",
    place: { href: "/plans/plan_1", scope: "plan:read" },
  });
  expect(sayEntry({ ...ended, detail: { state: "unknown" } }, nameOf)).toMatchObject({
    rest: "(unknown)",
    place: null,
  });
});

test("what a host did itself is said of it, and what somebody did to it of them", () => {
  const own = entry({ actor: "node:node_1", action: "node.facts_changed", subject: "node/node_1" });
  expect(sayEntry(own, nameOf)).toMatchObject({ isOwn: true, verb: "told new facts of itself" });
  expect(sayEntry({ ...own, actor: "system" }, nameOf)).toMatchObject({ isOwn: false, verb: "heard new facts of" });
  expect(sayEntry({ ...own, action: "node.removed" }, nameOf).isOwn).toBe(false);
});

test.each(auditActionNames)("%s is said in words", (action) => {
  expect(sayEntry(entry({ action }), nameOf).verb).toMatch(/^[a-z][a-z -]+$/);
});

test("alerts are said of their rule and the first of their hosts, and lead to what is open of it", () => {
  const alerts = [{ name: "web-1" }, { name: "web-2" }, { name: "web-3" }];
  const opened = entry({
    actor: "system",
    action: "alert.opened",
    subject: "alert-rule/disk",
    detail: { name: "Disk", alerts },
  });
  expect(sayEntry(opened, nameOf)).toEqual({
    isOwn: false,
    verb: "opened an alert of the rule",
    object: "Disk",
    rest: "on web-1 and 2 more",
    place: { href: "/alerts?rule=disk", scope: "node:read" },
  });
  const detail = { alert: "alert_1", rule: "disk", node: "node_1", name: "web-1", note: "on its way" };
  const taken = entry({ action: "alert.acknowledged", subject: "alert/alert_1", detail });
  expect(sayEntry(taken, nameOf)).toMatchObject({
    object: "web-1",
    rest: "“on its way”",
    place: { href: "/nodes/node_1", scope: "node:read" },
  });
});

test("an action without words is named as it is", () => {
  const said = sayEntry(entry({ action: "node.seen", subject: "node/fra1" }), nameOf);
  expect(said).toEqual({ isOwn: false, verb: "node.seen", object: "node/fra1", rest: null, place: null });
});

test("a failure says its reason", () => {
  const failed = entry({
    action: "plugin.asked",
    outcome: "failed",
    detail: { action: "health", reason: "it ended with 3" },
  });
  expect(sayEntry(failed, nameOf).rest).toBe("for health: it ended with 3");
  const { verb, rest } = sayEntry({ ...failed, action: "plugin.answered" }, nameOf);
  expect([verb, rest]).toEqual(["heard from", "on health: it ended with 3"]);
});

test("a host that does not believe the log says why", () => {
  const refused = entry({
    actor: "node:node_1",
    action: "witnessed.refused",
    subject: "node/node_1",
    outcome: "refused",
    detail: { reason: "the log ends at 411" },
  });
  const { verb, rest } = sayEntry(refused, nameOf);
  expect(`${verb} ${rest}`).toBe("does not believe the log of the server because the log ends at 411");
});

test("the same thing in a row is one line with a count, and another outcome ends the row", () => {
  const asked = (position: number, outcome: AuditEntryView["outcome"]) =>
    entry({ position, action: "plugin.asked", outcome, detail: { action: "health" } });
  const lines = foldRepeats([asked(4, "failed"), asked(3, "failed"), asked(2, "done"), entry({})]);
  expect(lines.map(({ entry: { position }, times }) => [position, times])).toEqual([
    [4, 2],
    [2, 1],
    [1, 1],
  ]);
});

test("sign-ins are one line although each has a session of its own", () => {
  const signIn = (id: string) => entry({ action: "auth.signed_in", subject: `session/${id}`, detail: {} });
  expect(foldRepeats([signIn("ses_2"), signIn("ses_1")])).toHaveLength(1);
});
