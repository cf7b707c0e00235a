import type { Plan, PlanApprovalView, PlanTask } from "@gatehouse/contract/routes";

/** A plan in review for tests. */
export function samplePlan(more: Partial<Plan> = {}): Plan {
  return {
    id: "plan_01k9x4t7qd",
    digest: "e07b52c9".repeat(8),
    title: "Restart nginx.service",
    summary: "The certificate was renewed.",
    source: { from: "person" },
    author: "usr_mara",
    createdAt: "2026-11-17T03:08:00.000Z",
    expiresAt: "2026-11-18T03:08:00.000Z",
    state: "in_review",
    stateAt: "2026-11-17T03:08:00.000Z",
    movedBy: "usr_mara",
    reason: null,
    replaces: null,
    replacedBy: null,
    undoes: null,
    nodes: 3,
    waves: null,
    kinds: ["service.restart"],
    bytes: 900,
    management: [],
    skipped: [],
    findings: { refuse: 0, warn: 0, note: 0 },
    approvals: [],
    awaiting: null,
    needed: 1,
    ended: null,
    ...more,
  };
}

export function sampleApproval(more: Partial<PlanApprovalView> = {}): PlanApprovalView {
  return {
    id: "ab".repeat(16),
    kind: "signed",
    user: "usr_ruth",
    by: "usr_ruth",
    at: "2026-11-17T03:11:00.000Z",
    keyId: "cd".repeat(16),
    fingerprint: "SHA256:Qx3mH0v7dVZr2tC4m9bYw1Jk8uLpNs5aRf6eGh0iTbE",
    notBefore: "2026-11-17T03:11:00.000Z",
    notAfter: "2026-11-17T05:00:00.000Z",
    rollbackWindow: 120,
    sections: 3,
    ...more,
  };
}

export function sampleTask(more: Partial<PlanTask> = {}): PlanTask {
  return {
    id: "task_1",
    plan: "plan_01k9x4t7qd",
    index: 0,
    node: "node_a",
    name: "web-1",
    wave: 0,
    state: "sent",
    stateAt: "2026-11-17T04:01:12.000Z",
    approval: "ab".repeat(16),
    code: null,
    detail: null,
    outcome: null,
    told: [],
    step: null,
    ...more,
  };
}
