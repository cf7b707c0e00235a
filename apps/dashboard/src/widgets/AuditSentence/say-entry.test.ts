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
    verb: "accepted",
    object: "edge-firewall",
    rest: "2.4.0",
    href: "/plugins/edge-firewall",
  });
});

test.each(auditActionNames)("%s is said in words", (action) => {
  expect(sayEntry(entry({ action }), nameOf).verb).toMatch(/^[a-z][a-z -]+$/);
});

test("an action without words is named as it is", () => {
  const said = sayEntry(entry({ action: "node.seen", subject: "node/fra1" }), nameOf);
  expect(said).toEqual({ verb: "node.seen", object: "node/fra1", rest: null, href: null });
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
