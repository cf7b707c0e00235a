import type { DriftedPart, NodeDrift } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { driftLines } from "./describe-drift.ts";

const checkedAt = "2026-11-16T03:12:30.000Z";
const part = (more: Partial<DriftedPart> = {}): DriftedPart => ({
  subject: "file:/etc/motd",
  since: checkedAt,
  state: "differs",
  task: `task_${"0".repeat(26)}`,
  plan: "a".repeat(64),
  confirmedAt: checkedAt,
  expected: "b".repeat(64),
  found: "c".repeat(64),
  why: null,
  ...more,
});
const drift = (more: Partial<NodeDrift> = {}): NodeDrift => ({ checkedAt, watched: 3, more: 0, items: [], ...more });

test("what differs, is gone or could not be read stands there with what was expected", () => {
  const items = [
    part(),
    part({ subject: "file:/etc/gone", state: "missing", found: null }),
    part({ subject: "file:/etc/far", state: "unread", found: null, why: "read.limit: too long" }),
  ];
  expect(driftLines("web-1", drift({ items, more: 1 }))).toEqual([
    "web-1: 3 of 3 parts differ from what was confirmed, and 1 could not be read.",
    "  file:/etc/motd differs, since 2026-11-16T03:12:30Z",
    `    expected ${"b".repeat(64)} (plan aaaaaaaaaaaa)`,
    `    found    ${"c".repeat(64)}`,
    "  file:/etc/gone is missing, since 2026-11-16T03:12:30Z",
    `    expected ${"b".repeat(64)} (plan aaaaaaaaaaaa)`,
    "  file:/etc/far could not be read, since 2026-11-16T03:12:30Z",
    `    expected ${"b".repeat(64)} (plan aaaaaaaaaaaa)`,
    "    read.limit: too long",
    "  and 1 more",
    "  Checked 2026-11-16T03:12:30Z.",
  ]);
});

test("a host that has told nothing is not said to be as confirmed", () => {
  expect(driftLines("web-1", drift())).toEqual(["web-1: all 3 parts were as confirmed at 2026-11-16T03:12:30Z."]);
  expect(driftLines("web-1", drift({ watched: 0 }))[0]).toContain("no plan was confirmed there yet");
  expect(driftLines("web-1", drift({ checkedAt: null, watched: null }))[0]).toContain("it has not told what it found");
});
