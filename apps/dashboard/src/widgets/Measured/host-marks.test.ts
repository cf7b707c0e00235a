import type { AuditEntryView } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { sampleAlert } from "../Alerts/sample-alert.ts";
import { alertMarks, marksAround, planMarks, restartMarks, sayMark, togetherOf } from "./host-marks.ts";

const now = Date.parse("2026-11-17T03:12:40Z");
const entry = (clock: string, action: string, detail: Record<string, unknown>): AuditEntryView => ({
  position: 7,
  at: `2026-11-17T${clock}.000Z`,
  actor: "system",
  action,
  subject: "node/node_a",
  outcome: "done",
  requestId: null,
  address: null,
  detail,
});
const entries = [
  entry("02:48:43", "task.ended", { plan: "plan_b", state: "rolled_back", code: "confirm.late" }),
  entry("02:47:10", "task.sent", { plan: "plan_b", approval: "a" }),
  entry("02:30:00", "task.ended", { plan: "plan_0123456789", state: "applied" }),
];
const plans = new Map([["plan_b", { title: "QUIC rate limit", approvals: [] }]]);
const about = { node: "node_a", entries, plans, mayPlans: true, nameOf: (actor: string) => actor };

test("an alert that is open is marked where it opened, and leads to its list", () => {
  const [mark] = alertMarks([sampleAlert()]);
  expect(mark).toMatchObject({ at: Date.parse("2026-11-17T02:25:00.000Z"), state: "warn", node: sampleAlert().node });
  expect(mark && sayMark(mark, Date.UTC(2026, 10, 17, 3))).toBe("Disk over 90 % for 5 min, alert opened 02:25");
});

test("each plan is one mark where it ended, with its title, its sign and the way to it", () => {
  const marks = planMarks(about);
  expect(marks.map((mark) => [mark.state, sayMark(mark, now), mark.href])).toEqual([
    ["back", "QUIC rate limit, rolled back 02:48", "/plans/plan_b?node=node_a"],
    ["ok", "Plan 23456789, confirmed 02:30", "/plans/plan_0123456789?node=node_a"],
  ]);
  expect(marks[0]?.line).toMatch(/^Rolled back\. .*The host is as it was\./);
});

test("who reads no plans gets no link to one", () => {
  expect(planMarks({ ...about, mayPlans: false }).map(({ href }) => href)).toEqual([undefined, undefined]);
});

test("a restart is a mark of the host's own", () => {
  const [mark] = restartMarks({ node: "node_a", restarts: ["2026-11-16T14:05:00.000Z"] });
  expect(mark?.state).toBeUndefined();
  expect(mark && sayMark(mark, now)).toBe("host restarted, 16 Nov, 14:05");
});

test("around a moment stands what happened near it, the first first", () => {
  const around = (clock: string, minutes: number) =>
    marksAround(planMarks(about), Date.parse(`2026-11-17T${clock}:00Z`), minutes * 60_000).map(({ title }) => title);
  expect(around("02:46", 5)).toEqual(["QUIC rate limit"]);
  expect(around("02:40", 20)).toEqual(["Plan 23456789", "QUIC rate limit"]);
  expect(around("01:00", 5)).toEqual([]);
});

test("what one plan did alike to several hosts is said once; another end of it apart", () => {
  const other = entry("02:49:00", "task.ended", { plan: "plan_b", state: "applied" });
  const marks = [
    ...planMarks(about),
    ...planMarks({ ...about, node: "node_b" }),
    ...planMarks({ ...about, node: "node_c", entries: [other] }),
    ...restartMarks({ node: "node_a", restarts: ["2026-11-17T02:50:00.000Z"] }),
    ...restartMarks({ node: "node_b", restarts: ["2026-11-17T02:50:00.000Z"] }),
  ];
  const around = marksAround(marks, Date.parse("2026-11-17T02:48:00Z"), 5 * 60_000);
  expect(togetherOf(around).map(({ mark, nodes }) => `${mark.word}: ${nodes.join(" ")}`)).toEqual([
    "Rolled back: node_a node_b",
    "Confirmed: node_c",
    "host restarted: node_a",
    "host restarted: node_b",
  ]);
});
