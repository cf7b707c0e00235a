import type { AuditEntryView } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { sampleApproval } from "./sample-plan.ts";
import { hostPlans, sayHostPlan } from "./host-plans.ts";

const approval = sampleApproval();
const entry = (position: number, action: string, detail: Record<string, unknown>): AuditEntryView => ({
  position,
  at: `2026-11-17T04:00:${String(position).padStart(2, "0")}.000Z`,
  actor: "system",
  action,
  subject: "node/node_a",
  outcome: "done",
  requestId: null,
  address: null,
  detail,
});
const sent = (position: number, plan: string) => entry(position, "task.sent", { plan, approval: approval.id });
const ended = (position: number, plan: string, state: string, more: object = {}) =>
  entry(position, "task.ended", { plan, state, ...more });

test("each plan is one line, the newest first, with the last that is known of it", () => {
  const log = [
    sent(9, "plan_c"),
    ended(8, "plan_b", "rolled_back", { code: "confirm.late" }),
    ended(7, "plan_b", "unknown"),
    sent(6, "plan_b"),
    entry(5, "task.outcome_ignored", { task: "task_1", why: "it is about another task" }),
    ended(4, "plan_a", "refused", { code: "ceiling.unit" }),
  ];
  expect(hostPlans(log).map(({ plan, state, position }) => [plan, state, position])).toEqual([
    ["plan_c", "sent", 9],
    ["plan_b", "rolled_back", 8],
    ["plan_a", "refused", 4],
  ]);
  expect(hostPlans(log).map((one) => one.approval)).toEqual([approval.id, approval.id, null]);
  expect(hostPlans([])).toEqual([]);
});

test("a state of a newer server is left out, and everything else is said", () => {
  expect(hostPlans([ended(2, "plan_b", "teleported"), ended(1, "plan_a", "applied")])).toHaveLength(1);
});

test("a line says how it ended, what the host is like and who approved it", () => {
  const say = (...log: AuditEntryView[]) => {
    const [task] = hostPlans(log);
    return (
      task && sayHostPlan(task, { approvals: [approval, sampleApproval({ id: "other", user: "usr_x" })] }, (id) => id)
    );
  };
  expect(say(ended(2, "plan_a", "applied"), sent(1, "plan_a"))).toBe(
    "Confirmed. The host is as the plan says, and stays so after its next start. Approved by usr_ruth.",
  );
  expect(say(ended(2, "plan_a", "rolled_back", { code: "confirm.late", detail: "no proof" }), sent(1, "plan_a"))).toBe(
    "Rolled back. Nobody had proved in time that the host reaches its server. The host is as it was. Approved by usr_ruth.",
  );
  const down = { code: "service.down", detail: "nginx.service: it failed | bind() failed" };
  expect(say(ended(1, "plan_a", "failed_after_change", down))).toMatch(
    /^Failed after change\. .* Look at this host now/,
  );
  expect(say(sent(1, "plan_a"))).toBe("Sent. No answer yet. Approved by usr_ruth.");
});
